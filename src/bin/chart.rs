//! The charts' wasm: draws what the page hands over. Loaded with the first chart; holds no front-end.

#[cfg(target_arch = "wasm32")]
mod exports {
    use plotters_canvas::CanvasBackend;
    use warpspan::draw::chart::{Frame, Surface};
    use warpspan::timeline::Convergence;
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlCanvasElement;

    /// Draws a chart on a canvas, in one go, at so many device pixels per pixel.
    #[wasm_bindgen]
    pub fn draw(canvas: HtmlCanvasElement, data: JsValue, frame: JsValue, ratio: f64) -> Result<(), JsError> {
        let (data, frame) = read(data, frame)?;
        let (width, height) = ((frame.width * ratio).round() as u32, (frame.height * ratio).round() as u32);
        if (canvas.width(), canvas.height()) != (width, height) {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        let backend = CanvasBackend::with_canvas_object(canvas).ok_or(JsError::new("no 2D canvas"))?;
        warpspan::draw::chart::draw(backend, &data, &frame, Surface { ratio, font: 1.0 })?;
        Ok(())
    }

    /// The same chart as an SVG document, with a title and a link.
    #[wasm_bindgen]
    pub fn svg(data: JsValue, frame: JsValue, title: &str, link: &str) -> Result<String, JsError> {
        let (data, frame) = read(data, frame)?;
        Ok(warpspan::export::chart::chart_svg(&data, &frame, title, link))
    }

    fn read(data: JsValue, frame: JsValue) -> Result<(Convergence, Frame), JsError> {
        Ok((serde_wasm_bindgen::from_value(data)?, serde_wasm_bindgen::from_value(frame)?))
    }
}

fn main() {}
