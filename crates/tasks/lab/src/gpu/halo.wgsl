// The halo of every row: the last columns of the tile before, or nothing before the first tile.
// SIZE is put in before this is compiled.

struct Halo {
  stride: u32,   // from row to row
  columns: u32,  // columns of a tile, at least those of the halo
  halo: u32,     // columns of the halo
  before: u32,   // 0 for the first tile
}

@group(0) @binding(0) var<uniform> own: Halo;
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;

const NEVER = 0xffffffffu;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= own.halo) {
    return;
  }
  let at = id.y * own.stride + id.x;
  if (own.before == 0u) {
    cells[at] = NEVER;
  } else {
    cells[at] = cells[at + own.columns];
  }
}
