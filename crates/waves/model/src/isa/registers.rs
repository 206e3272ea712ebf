//! The registers that an instruction reads and writes, by its operands: the first is written, the others are read, but
//! where the instruction's name says otherwise.

use super::Class;

/// A register: vector, accumulation and scalar registers by their numbers, then those with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(u16);

const ACCUMULATION: u16 = 512;
const SCALAR: u16 = 1024;
const VCC: Reg = Reg(2000);
const EXEC: Reg = Reg(2001);
const SCC: Reg = Reg(2002);
const M0: Reg = Reg(2003);

/// What an instruction reads and what it writes.
pub fn registers(name: &str, rest: &str, class: Class) -> (Vec<Reg>, Vec<Reg>) {
    let operands: Vec<Vec<Reg>> = rest.split(',').map(operand).collect();
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let written = written(name, rest, class);
    for (place, own) in operands.iter().enumerate() {
        let to = if place < written { &mut writes } else { &mut reads };
        to.extend(own);
        if place < written && reads_target(name) {
            reads.extend(own);
        }
    }
    implied(name, class, &mut reads, &mut writes);
    (reads, writes)
}

/// How many operands, from the first on, are written.
fn written(name: &str, rest: &str, class: Class) -> usize {
    let has = |part: &str| name.contains(part);
    match class {
        Class::Vector | Class::Transcendental | Class::Double | Class::Matrix => {
            let two =
                has("_co_") || has("_swap") || has("v_div_scale") || has("v_mad_u64") || has("v_mad_i64");
            1 + usize::from(two)
        }
        Class::Scalar if has("s_cmp") || has("s_bitcmp") || has("s_set") && !has("s_setvskip") => 0,
        Class::Scalar | Class::ScalarLoad => 1,
        // With `lds` what is loaded goes there, and no register is named for it.
        Class::Load | Class::FlatLoad | Class::Sample | Class::Ray => {
            usize::from(!rest.split_whitespace().any(|word| word == "lds") && !has("_inv"))
        }
        Class::Lds => {
            let gives = ["ds_read", "ds_load", "permute", "swizzle", "_rtn", "ds_consume", "ds_append"];
            usize::from(gives.iter().any(|part| has(part)))
        }
        Class::Jump if has("getpc") || has("swappc") || has("call") => 1,
        _ => 0,
    }
}

/// Whether what is written is read before.
fn reads_target(name: &str) -> bool {
    [
        "v_fmac",
        "v_mac",
        "v_pk_fmac",
        "_swap",
        "v_dot2c",
        "v_dot4c",
        "v_dot8c",
        "v_writelane",
        "v_smfmac",
        "s_cmov",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// Registers that no operand names.
fn implied(name: &str, class: Class, reads: &mut Vec<Reg>, writes: &mut Vec<Reg>) {
    let has = |part: &str| name.contains(part);
    if class.is_vector() || class.is_memory() || class.is_lds() {
        reads.push(EXEC);
    }
    if name.starts_with("v_cmpx") {
        writes.push(EXEC);
    }
    if has("saveexec") {
        reads.push(EXEC);
        writes.push(EXEC);
    }
    match class {
        Class::Scalar if has("s_cmp") || has("s_bitcmp") => writes.push(SCC),
        Class::Scalar => {
            if has("addc") || has("subb") || has("cselect") || has("cmov") {
                reads.push(SCC);
            }
            if !["s_mov", "s_cmov", "s_mul", "s_cselect", "s_set", "s_get", "s_pack", "s_bfm"]
                .iter()
                .any(|no| has(no))
            {
                writes.push(SCC);
            }
        }
        Class::Jump if has("scc") => reads.push(SCC),
        Class::Jump if has("vcc") => reads.push(VCC),
        Class::Jump if has("exec") => reads.push(EXEC),
        _ => {}
    }
}

/// The registers of one operand.
fn operand(text: &str) -> Vec<Reg> {
    let word = text.split_whitespace().next().unwrap_or_default().trim_matches(|c| matches!(c, '-' | '|'));
    match word {
        "vcc" | "vcc_lo" | "vcc_hi" => return vec![VCC],
        "exec" | "exec_lo" | "exec_hi" => return vec![EXEC],
        "scc" => return vec![SCC],
        "m0" => return vec![M0],
        _ => {}
    }
    let first = word.chars().next();
    let (base, most) = match first {
        Some('v') => (0, ACCUMULATION),
        Some('a') => (ACCUMULATION, ACCUMULATION),
        Some('s') => (SCALAR, 256),
        _ => return Vec::new(),
    };
    let rest = word.get(1..).unwrap_or_default();
    let range = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(range) => {
            range.split_once(':').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)))
        }
        None => rest.parse().ok().map(|number| (number, number)),
    };
    let Some((from, to)): Option<(u16, u16)> = range.filter(|(from, to)| from <= to && *to < most) else {
        return Vec::new();
    };
    (from..=to).map(|number| Reg(base + number)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Generation, Op};

    fn needs(before: &str, after: &str) -> bool {
        let op = |text| Op::of(text, Generation::Gfx9);
        op(after).needs(&op(before))
    }

    #[test]
    fn results_that_are_needed() {
        assert!(needs(
            "v_add_u32_e32 v98, s33, v91",
            "buffer_load_dwordx4 v[104:107], v98, s[12:15], 0 offen"
        ));
        assert!(needs(
            "v_mfma_f32_16x16x32_bf16 v[96:99], v[1:4], v[5:8], 0",
            "v_mul_f32_e64 v124, v99, -v120"
        ));
        assert!(needs("v_cmp_eq_u32_e32 vcc, 0, v1", "s_and_saveexec_b64 s[2:3], vcc"));
        assert!(needs("s_and_saveexec_b64 s[2:3], vcc", "s_cbranch_execz 12"));
        assert!(needs("s_cmp_eq_u32 s1, s2", "s_cbranch_scc1 3"));
        assert!(needs("v_permlane32_swap_b32_e32 v1, v2", "v_add_f32_e32 v3, v2, v4"));
        assert!(!needs("v_add_u32_e32 v1, v2, v3", "v_add_u32_e32 v4, v2, v3"));
        assert!(!needs("buffer_store_dword v1, v2, s[0:3], 0 offen", "v_add_u32_e32 v4, v1, v2"));
        assert!(!needs("ds_write_b32 v1, v2", "v_mov_b32_e32 v3, v1"));
    }

    #[test]
    fn what_is_overwritten() {
        let op = |text| Op::of(text, Generation::Gfx9);
        let load = op("buffer_load_dwordx4 v[104:107], v98, s[12:15], 0 offen");
        assert!(op("v_add_u32_e32 v98, s33, v91").overwrites(&load));
        assert!(op("v_mov_b32_e32 v105, 0").overwrites(&load));
        assert!(!op("v_mov_b32_e32 v1, v105").overwrites(&load));
    }
}
