//! One file for each form that models had over the years.

use expect_test::{Expect, expect};

use super::{DRIVER_ASSISTANCE, FILES, TEACHING, shown};
use warpspan::scenario;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn itea() {
    check(
        FILES[0],
        expect![[r#"
            version 1.3.0
            core Core 40000000 Hz, by Priority
            Sample on Core, 5000000 ns within 5000000 rank 1: 550 ticks, activates Filter
            Filter on Core, 5000000 ns within 5000000 rank 2: 2500 ticks
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0] chain.tasks[1]]
        "#]],
    );
}

#[test]
fn cores_and_quartzes() {
    check(
        FILES[1],
        expect![[r#"
            version 0.7.1
            core z6 29000000 Hz, by Priority
            Task 10 ms on z6, 9500000 ns within 9500000 rank 2: 88300 ticks
            Tooth on z6, 9500000 ns within 9500000 rank 1: 100 ticks
            ? chain.tasks[0]: the branches that Task 10 ms takes = the longest ones (line 10, column 9: which one is taken depends on modes or conditions; the longest is) [path, upper holds]
            ? chain.tasks[0].period: the period of Task 10 ms = 9.5 ms (Timer 10 has jitter, which shortens the least time between activations) [jitter, upper holds]
            ? chain.tasks[1].period: the period of Tooth = 9.5 ms (Shaft has no least distance; the longest period of the model, or 100 ms) [period]
            ? chain.tasks: interrupts on z6 = before all tasks (their priorities are not those of tasks) [priority; on chain.tasks[1].priority]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0]]
            - Amalthea/swModel/modes: 1, first at line 49, column 5
            - Amalthea/hwModel/system/ecus/microcontrollers/cores/ports (ComplexPort): 1, first at line 61, column 13
        "#]],
    );
}

#[test]
fn runnable_instructions_and_a_graphics_core() {
    check(
        FILES[2],
        expect![[r#"
            version 0.8.2
            core Core 1200000000 Hz, by Priority
            kernel Match 22501 cycles, 2 x 256
            Track on Core, 1500000 ns within 1500000 rank 1: 400 ticks, 12000 B in, Match, 3072 B out, 400 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it Graphics) [gpu; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu]
            ? chain.device: whether Graphics is a GPU = it is (line 53, column 11: its definition says no puType; its name does) [gpu]
            ? chain.kernels: parts of a tick in Match = whole ticks (line 31, column 7: the instructions are no multiple of those in a tick) [work, upper holds]
            ? chain.tasks[0]: whether Track waits for Match = it does, at once (no wait for an event of it follows where it is activated) [waiting]
            ? chain.tasks[0].wait: what the core does while Track waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.machine]
        "#]],
    );
}

#[test]
fn execution_needs_and_copies_by_a_task_of_the_host() {
    check(
        FILES[3],
        expect![[r#"
            version 0.9.2
            core Core 100000000 Hz, by Priority
            kernel See 9000000 cycles, 4 x 1024
            Drive on Core, 25000000 ns within 25000000: 110000 ticks, 1000000 B in, See, 375 B out
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it Video) [gpu, lower holds; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
            ? chain.clock: the GPU's clock = 1300000000 Hz (line 54, column 9: no frequency in the model) [clock]
            ? chain.tasks[0]: instructions of Drive in a tick of Video = 1 (line 32, column 7: neither the unit's definition nor its features say so) [work]
            ? chain.kernels[0]: blocks and threads of See = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks[0].wait: what the core does while Drive waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0]]
        "#]],
    );
}

#[test]
fn ticks_without_a_mapping() {
    check(
        FILES[4],
        expect![[r#"
            version 1.0.0
            core c0 500000000 Hz, by Priority
            core c1 500000000 Hz, by Priority
            kernel G1 7000 cycles, 4 x 1024
            kernel K 7000 cycles, 4 x 1024
            kernel K2 8000 cycles, 4 x 1024
            kernel Own 7000 cycles, 4 x 1024
            Host/A on c0, 1000000 ns within 1000000: 450 ticks, 500 B in, G1, 9 B out, 500 B in, K, K2
            Own on c1, 20000000 ns within 20000000: 500 B in, Own, 9 B out
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it g0) [gpu, lower holds; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
            ? chain.tasks[0]: the branches that Host/A takes = the longest ones (line 14, column 11: branches differ in what the GPU does, and the longest for the task is not the worst for others) [path]
            ? chain.kernels[0]: blocks and threads of G1 = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.kernels[1]: blocks and threads of K = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.kernels[2]: blocks and threads of K2 = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks[0]: whether Host/A waits for G1 = it does, at once (no wait for an event of it follows where it is activated) [waiting]
            ? chain.tasks[0].wait: what the core does while Host/A waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
            ? chain.tasks[0].core: its core = c0 (no allocation; of 2 cores the one with the least to do so far) [core]
            ? chain.kernels[3]: blocks and threads of Own = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks[1].core: who launches it = c1 (it is a task of the GPU that no other task activates; a core launches it) [core]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0] chain.machine]
            ? chain.sharing: how tasks share the GPU = in the order of their launches (AMALTHEA does not say how tasks share a GPU) [sharing]
        "#]],
    );
}

#[test]
fn loops_stimuli_and_distributions() {
    check(
        FILES[5],
        expect![[r#"
            version 2.1.0
            core Core 200000000 Hz, by Edf
            kernel Kernel 70000 cycles, 4 x 1024
            Loop on Core, 1535353 ns within 1535353: 390 ticks
            Burst on Core, 4000000 ns within 4000000: 30 ticks
            Once on Core, 4000000 ns within 4000000: 30 ticks
            Odd on Core, 3000000 ns within 3000000: 14302 ticks, Kernel
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it GPU) [gpu, lower holds; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
            ? chain.clock: the GPU's clock = 33333333 Hz (line 49, column 7: it is no whole number of hertz, or one of several frequencies) [clock]
            ? chain.tasks[0]: how often a loop of Loop turns = once (line 11, column 9: the format has no count; a custom property loopBound of the loop says it) [loop]
            ? chain.tasks[0]: the label "lost", which Loop names = left out (line 34, column 9: the reference leads nowhere in the model) [work, lower holds]
            ? chain.tasks[0]: what Invented is in Loop = nothing (line 15, column 9: nothing is known of this type, and nothing that is read is in it) [work; on chain]
            ? chain.tasks[0]: how long Loop waits for "e" = not at all (line 14, column 9: nothing that the GPU does for it sets that, nor does any other task) [waiting, lower holds]
            ? chain.tasks[0].period: the period of Loop = 1.535353 ms (Jittery has jitter, which shortens the least time between activations) [jitter, upper holds]
            ? chain.tasks[0].period: the period of Loop = 1.535353 ms (2 sources activate it; their rates are added up, as if they never met) [period]
            ? chain.tasks[0].period: the period of Loop = 1.535353 ms (535 ps more are left out, as periods are whole nanoseconds) [period, upper holds]
            ? chain.tasks[1]: who runs a server that Burst calls = the caller, on its core (line 19, column 22: the model does not say who executes it) [work]
            ? chain.tasks[1]: the label "lost", which Burst names = left out (line 34, column 9: the reference leads nowhere in the model) [work, lower holds]
            ? chain.tasks[1].period: the period of Burst = 4 ms (Three comes 3 times a period, taken at its least distance) [period, upper holds]
            ? chain.tasks[2]: whether Once waits for a server = it does (line 22, column 22: the call is asynchronous; the server runs as part of the caller, which goes on after it) [work]
            ? chain.tasks[2]: the label "lost", which Once names = left out (line 34, column 9: the reference leads nowhere in the model) [work, lower holds]
            ? chain.tasks[2].period: the period of Once = 4 ms (First comes once; the longest period of the model, or 100 ms) [period]
            ? chain.tasks[3]: the most that work of Odd takes = 5302 ticks, the mean and three standard deviations (line 26, column 9: the distribution has no upper bound, so that this is no worst case) [work]
            ? chain.kernels[0]: blocks and threads of Kernel = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks[3].wait: what the core does while Odd waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
            ? chain.tasks[3].period: the period of Odd = 3 ms (Stamps comes 3 times a period, taken at its least distance) [period, upper holds]
            ! line 52, column 55: 0.0333333333337 GHz is rounded down, to 33333333 Hz
            - Amalthea/stimuliModel/stimuli/burstLength: 1, first at line 66, column 41
        "#]],
    );
}

#[test]
fn memories_say_whose_a_label_is() {
    check(
        FILES[6],
        expect![[r#"
            version 3.1.0
            core core 1000000000 Hz, by Priority
            kernel Dev 123456 cycles, 4 x 1024
            Front on core, 16666000 ns within 16666000 rank 2: 120000 ticks, 2097152 B in, Dev, 10000 B out
            Back on core, 16666000 ns within 16666000 rank 1: 120000 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it gpu) [gpu, lower holds; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
            ? chain.kernels[0]: blocks and threads of Dev = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks[0]: whether Front waits for Dev = it does, at once (no wait for an event of it follows where it is activated) [waiting]
            ? chain.tasks[0].wait: what the core does while Front waits for the GPU = suspend (the model does not say whether it waits actively) [wait]
            ? chain.tasks[1].deadline: the deadline of Back = 16.666 ms (the model requires a response later than the next activation, which is not looked at) [deadline, upper holds]
            ? chain.tasks: which priority is the more urgent one = the larger number (AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so) [priority; on chain.tasks[0].priority chain.tasks[1].priority]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0] chain.tasks[1] chain.machine]
            - Amalthea/osModel/schedulerDefinitions: 1, first at line 57, column 5
        "#]],
    );
}

#[test]
fn teaching() {
    check(
        TEACHING,
        expect![[r#"
            version 0.9.9
            core CPU 1000000000 Hz, by Priority
            kernel Edges 6500000 cycles, 4 x 1024
            Look on CPU, 40000000 ns within 30000000: 3000000 ticks, 640000 B in, Edges, 80000 B out, 1000000 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it GPU) [gpu, lower holds; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
            ? chain.kernels[0]: blocks and threads of Edges = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0] chain.machine]
            ? chain.sharing: how tasks share the GPU = in the order of their launches (GPU_scheduler is UserSpecificSchedulingAlgorithm, which is not analysed) [sharing]
        "#]],
    );
}

#[test]
fn driver_assistance() {
    check(
        DRIVER_ASSISTANCE,
        expect![[r#"
            version 0.9.7
            core A57_0 2000000000 Hz, by Priority
            core A57_1 2000000000 Hz, by Priority
            core A57_2 2000000000 Hz, by Priority
            core A57_3 2000000000 Hz, by Priority
            core Denver_0 2000000000 Hz, by Priority
            core Denver_1 2000000000 Hz, by Priority
            kernel Boxes_on_GPU 39000000 cycles, 4 x 1024
            kernel Lanes_on_GPU 15600000 cycles, 4 x 1024
            kernel Depth_on_GPU 7800000 cycles, 4 x 1024
            kernel Match_kernel 28600000 cycles, 4 x 1024
            kernel Refine_kernel 6500000 cycles, 4 x 1024
            Camera_grabber on A57_1, 33000000 ns within 33000000 rank 1: 6800000 ticks
            Lidar_grabber on A57_3, 33000000 ns within 33000000 rank 1: 20800000 ticks
            Detection_host on A57_2, 200000000 ns within 200000000 rank 2: 4400000 ticks, 1382400 B in, Boxes_on_GPU, 48000 B out, 3800000 ticks
            Lanes_on_host on A57_1, 100000000 ns within 100000000 rank 2: 3600000 ticks, 1382400 B in, Lanes_on_GPU, 16000 B out, 6200000 ticks
            Depth_on_host on Denver_1, 100000000 ns within 100000000 rank 1: 4640000 ticks, 2764800 B in, Depth_on_GPU, 460800 B out, 3680000 ticks
            Localisation_host on Denver_1, 400000000 ns within 400000000 rank 2: 8960000 ticks, 3200000 B in, Match_kernel, Refine_kernel, 2000 B out, 3360000 ticks
            Bus_poll on A57_0, 10000000 ns within 10000000 rank 2: 960000 ticks
            Motion on A57_2, 15000000 ns within 15000000 rank 1: 7200000 ticks
            Planner on Denver_0, 15000000 ns within 15000000 rank 1: 12480000 ticks
            Actuation on A57_0, 5000000 ns within 5000000 rank 1: 2600000 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it GP10B) [gpu, lower holds; on chain.machine]
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles) [gpu, lower holds]
            ? chain.kernels[0]: blocks and threads of Boxes_on_GPU = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.kernels[1]: blocks and threads of Lanes_on_GPU = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.kernels[2]: blocks and threads of Depth_on_GPU = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.kernels[3]: blocks and threads of Match_kernel = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.kernels[4]: blocks and threads of Refine_kernel = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says) [gpu, lower holds]
            ? chain.tasks: which priority is the more urgent one = the larger number (AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so) [priority; on chain.tasks[6].priority chain.tasks[9].priority chain.tasks[0].priority chain.tasks[3].priority chain.tasks[2].priority chain.tasks[7].priority chain.tasks[4].priority chain.tasks[5].priority]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0] chain.tasks[1] chain.tasks[2] chain.tasks[3] chain.tasks[4] chain.tasks[5] chain.tasks[6] chain.tasks[7] chain.tasks[8] chain.tasks[9] chain.machine]
            ? chain.sharing: how tasks share the GPU = in the order of their launches (On_GPU is UserSpecificSchedulingAlgorithm, which is not analysed) [sharing]
            - Amalthea/commonElements/tags: 2, first at line 4, column 5
            - Amalthea/hwModel/definitions/dataRate: 1, first at line 540, column 7
        "#]],
    );
}

#[test]
fn a_part_of_a_model_alone() {
    let software = TEACHING.split_once("<swModel>").and_then(|(_, rest)| rest.split_once("</swModel>"));
    let (software, _) = software.unwrap_or_default();
    let names = "xmlns:xmi=\"a\" xmlns:sw=\"http://www.amalthea.itea2.org/model/1.1.0/sw\" xmlns:xsi=\"b\"";
    let part = format!("<sw:SWModel {names}>{software}</sw:SWModel>");
    check(
        &part,
        expect![[r#"
            version 1.1.0
            core cpu 1000000000 Hz, by Priority
            Look on cpu, 100000000 ns within 100000000: 4000000 ticks
            Edges on cpu, 100000000 ns within 100000000: 6500000 ticks
            ? chain.cores: the host's cores = one, at 1000000000 Hz (the model has none) [core]
            ? chain.tasks[0]: the stimulus "Picture_is_there", which Look names = left out (line 6, column 9: the reference leads nowhere in the model) [period; on chain]
            ? chain.tasks[0]: how long Look waits for "Edges_done" = not at all (line 7, column 9: Edges sets that; a chain has no such wait) [waiting, lower holds]
            ? chain.tasks[0].period: the period of Look = 100 ms (the stimulus "Every_40_ms" is not in the model; the longest period of the model, or 100 ms) [period]
            ? chain.tasks[1].period: the period of Edges = 100 ms (the stimulus "Picture_is_there" is not in the model; the longest period of the model, or 100 ms) [period]
            ? chain.tasks: priorities on cpu = shorter deadlines first (2 of its tasks have none) [priority; on chain.tasks[0].priority chain.tasks[1].priority]
            ? chain.tasks: time of label accesses = none of its own (what is read and written is taken to be part of the ticks) [work, lower holds; on chain.tasks[0] chain.tasks[1]]
        "#]],
    );
    let both = |within: &str| format!("<xmi:XMI {names}>{within}</xmi:XMI>");
    assert_eq!(shown(&both(&part)), shown(&part));
}

#[test]
fn documents_are_sound() {
    for text in FILES {
        let read = scenario::read(text);
        assert!(read.is_ok(), "{:?}", read.err());
    }
}
