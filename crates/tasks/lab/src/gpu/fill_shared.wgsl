// One row of the table, one thread for each of its cells: the threads of a workgroup first bring the pairs of the row
// into its own memory, as many at a time as find room there. SIZE is put in before this is compiled.

struct Row {
  first: u32,
  count: u32,
  e: u32,
  d: u32,
  base: u32,
  reach: u32,
  start: u32,
  columns: u32,
}

@group(0) @binding(0) var<uniform> own: Row;
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;

const NEVER = 0xffffffffu;
const ROOM = 32u;  // no more than the smallest workgroup has threads

var<workgroup> near: array<vec2<u32>, ROOM>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let at = id.x;
  let mine = at < own.columns;
  var best = NEVER;
  for (var done = 0u; done < own.count; done += ROOM) {
    let brought = min(ROOM, own.count - done);
    if (thread < brought) {
      near[thread] = pairs[own.first + done + thread];
    }
    workgroupBarrier();
    if (mine) {
      for (var k = 0u; k < brought; k++) {
        let pair = near[k];
        let known = cells[pair.x + own.reach + at];
        if (known != NEVER) {
          best = min(best, known + pair.y);
        }
      }
    }
    workgroupBarrier();
  }
  if (mine) {
    if (own.e > 0u && own.start + at == own.e) {
      best = own.d;
    }
    cells[own.base + at] = best;
  }
}
