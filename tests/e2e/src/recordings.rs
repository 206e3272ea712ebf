//! Recordings made within the page: too long to be handed over, and the same each time.

use fantoccini::Locator;
use serde_json::json;

use crate::{Outcome, Page, said};

/// Writes what the PyTorch profiler would of a run on two GPUs: two threads launch into four streams each, and wait now
/// and then. The first argument is how many operations, the second how the file is called.
const MAKE: &str = "const [count, name] = arguments;
    let state = 12345;
    const below = (n) => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return (state >>> 8) % n; };
    const names = ['gemm', 'softmax', 'layer_norm', 'add', 'gather', 'reduce', 'adam', 'attention'];
    const parts = ['{\"deviceProperties\":[{\"id\":0,\"name\":\"made\"},{\"id\":1,\"name\":\"made\"}],\"traceEvents\":['];
    const threads = [0, 1].map(() => ({now: 10 + below(50), streams: [0, 0, 0, 0]}));
    let lines = [];
    const put = (event) => {
        lines.push((parts.length > 1 || lines.length > 0 ? ',' : '') + JSON.stringify(event));
        if (lines.length === 2000) { parts.push(lines.join('')); lines = []; }
    };
    for (let at = 1; at <= count; at++) {
        const device = at % 2, thread = threads[device], stream = below(4);
        const copy = below(12) === 0, args = {correlation: at};
        const ts = thread.now, takes = 3 + below(4);
        put({ph: 'X', cat: 'cuda_runtime', name: copy ? 'cudaMemcpyAsync' : 'cudaLaunchKernel', pid: 1, tid: device + 1, ts, dur: takes, args});
        thread.now += takes + below(3);
        const start = Math.max(ts + 4 + below(2), thread.streams[stream] + 1), dur = copy ? 5 + below(30) : 4 + below(below(9) ? 20 : 90);
        thread.streams[stream] = start + dur;
        const own = {...args, device, stream: 7 + stream};
        put(copy
            ? {ph: 'X', cat: 'gpu_memcpy', name: 'Memcpy HtoD', pid: device, tid: 7 + stream, ts: start, dur, args: {...own, bytes: 65536}}
            : {ph: 'X', cat: 'kernel', name: names[below(8)], pid: device, tid: 7 + stream, ts: start, dur, args: {...own, grid: [96, 1, 1], block: [256, 1, 1], 'registers per thread': 32, 'shared memory': 0}});
        if (below(60) === 0) {
            const until = Math.max(thread.now + 2, ...thread.streams) + 3;
            put({ph: 'X', cat: 'cuda_runtime', name: 'cudaDeviceSynchronize', pid: 1, tid: device + 1, ts: thread.now, dur: until - thread.now, args: {correlation: count + at}});
            thread.now = until + below(20);
        }
    }
    parts.push(lines.join(''), ']}');";

impl Page {
    /// Drops a recording of so many operations, made in the page, onto it.
    pub async fn drop_recording(&self, name: &str, operations: u32) -> Outcome {
        let script = format!(
            "{MAKE}
            const data = new DataTransfer();
            data.items.add(new File(parts, name));
            const main = document.getElementById('main');
            for (const kind of ['dragover', 'drop'])
                main.dispatchEvent(new DragEvent(kind, {{dataTransfer: data, bubbles: true, cancelable: true}}))"
        );
        self.eval(&script, vec![json!(operations), json!(name)]).await.map(drop)
    }

    /// Opens files of this machine together, by their paths.
    pub async fn choose_files(&self, paths: &[String]) -> Outcome {
        let field = self.client.find(Locator::Css("#open-files")).await.map_err(said)?;
        field.send_keys(&paths.join("\n")).await.map_err(said)
    }
}
