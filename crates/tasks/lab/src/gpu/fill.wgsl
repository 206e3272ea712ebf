// One row of the table, one thread for each of its cells: the pairs of the row are read from global memory.
// SIZE is put in before this is compiled.

struct Row {
  first: u32,    // its first pair
  count: u32,    // how many pairs it has: one for each edge that leads to its vertex
  e: u32,
  d: u32,
  base: u32,     // where its first cell stands
  reach: u32,    // where the cell stands that is needed for it, from the beginning of an earlier row
  start: u32,    // the column of its first cell
  columns: u32,  // how many cells it has
}

@group(0) @binding(0) var<uniform> own: Row;
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;  // where a row begins, and what is added
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;

const NEVER = 0xffffffffu;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = id.x;
  if (at >= own.columns) {
    return;
  }
  var best = NEVER;
  for (var k = 0u; k < own.count; k++) {
    let pair = pairs[own.first + k];
    let known = cells[pair.x + own.reach + at];
    if (known != NEVER) {
      best = min(best, known + pair.y);
    }
  }
  if (own.e > 0u && own.start + at == own.e) {
    best = own.d;
  }
  cells[own.base + at] = best;
}
