//! The help.

/// What `--help` prints.
pub const HELP: &str = "\
warpspan: worst-case timing of GPU threads

  warpspan run FILE...                run scenarios; one JSON report per line
      --threads N                     at most N chains at a time; the results are the same
      --entry NAME                    of a PTX file or of a listing of machine code: the kernel; else its first one
      --path NAME                     of a PTX file: fall-through, loops or longest; else fall-through
      --loop LABEL=N                  of a PTX file: the loop at LABEL goes round N times, or LABEL=2..16 times; N alone
                                      is for all loops; these three are for link and certify, too; LABEL of a listing is 0x80
      --operations                    of a profiler's export: every operation, too
      --together                      the files are profilers' exports, and the examiner's logs, of one run: one report
      --instructions                  of a thread trace: every stretch of every wave with its cause, too
  warpspan study FILE                 compute all cells of a study; one line of JSON per cell, in any order
      --threads N                     at most N cells at a time; the rows are the same
      --out FILE                      write the rows to FILE.ndjson as they come, or all of them to FILE.csv or
                                      FILE.parquet
      --resume                        go on with the rows that are there
  warpspan link FILE                  print a scenario's share link, the part after the page's address
  warpspan open LINK                  print the scenario in a share link
  warpspan certify FILE               run a scenario and print a certificate of its result
  warpspan check FILE...              check certificates again, without what found them, and the examiner's logs
                                      against the scheduling rules; one JSON report per certificate or run
      --device NAME                   the device the logs are of, such as jetson-tx2; else it is guessed
      --config FILE                   the configuration that was run, or a scenario: it knows priorities and streams
      --tolerance MICROSECONDS        times that differ by no more are the same; 50 if not given
      --clocks MICROSECONDS           the clocks of host and device may differ by so much more; if not given 100, and 60
                                      for each second of the run
  warpspan lesson FILE...             read lessons and do every step of them, one line per step
  warpspan exercises [SET]            read a set of exercises, a file or built in, and list what is in it
      --student NAME                  print it with the numbers of this student
      --solutions                     with the right answers
      --form                          the file of answers instead, to be filled in
      --json                          one line of JSON per exercise instead, with its scenario
  warpspan grade SET FILE...          grade files of answers to a set, as CSV with a line per file
      --json                          one line of JSON per file, with every answer
  warpspan convert FILE --to FORMAT   print a run's timeline as perfetto, examiner-log, csv or svg; or a scenario of
                                  warps as one of machine code, as code
      --out FOLDER                    write the files of examiner-log there; else they are printed, one log per line
                                  of a profiler's export or a thread trace, as perfetto or csv: everything with its cause
  warpspan diff FILE FILE             what got slower from one profiler's export to another, by cause and by name; or
                                      from one thread trace to another, by cause and by line
      --threshold PERCENT             exit with 1 if the whole takes longer by more than that, such as 5%
  warpspan reproduce [ITEM...]        repeat the figures, tables and worked numbers of the papers beside what is
                                      computed; an item is named such as b-fig-12, a paper by its letter
      --json                          one line of JSON per item
      --threads N                     as for run
  warpspan schema                     print the JSON Schema of the scenario document, for editors
  warpspan --help | --version

FILE is a scenario, a JSON document; an examiner's configuration; one of its logs; an AMALTHEA model; or a PTX
program; plain or packed; for run, convert and diff also a profiler's export (Nsight Systems' SQLite, JSON of PyTorch
or rocprofv3), or a thread trace of rocprofv3 --att: its folder, a zip or tar.gz of it.
- is standard input. A folder is a thread trace, or the AMALTHEA model whose files are in it.
Exit status: 0 done, 1 a check found a violation, a lesson's step cannot be done, a published value does not compare as
it is known to or a run got slower than --threshold permits, 2 bad input or usage.
";
