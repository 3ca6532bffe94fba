# Writes a week of jobs for simulate --cycle, a million events of pods: most jobs have one pod, some are gangs of up to eight nodes.
# Its first day, recorded on 5,000 nodes and replayed:
#
#   awk -f docs/week.awk -v pods=340000 | awk -F, 'NR == 1 || $1 < 86400' > day.csv
#   ./gpu-sched simulate --cycle --pool 5000x8 --trace day.csv --record day
#   time ./gpu-sched replay day
function random() {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}
BEGIN {
    seed = 42
    print "submit,queue,gpus,run_seconds"
    while (n < pods) {
        at += -log(random()) * 604800 / (0.9 * pods)
        size = random()
        gpus = size < 0.5 ? 1 : size < 0.7 ? 2 : size < 0.85 ? 4 : size < 0.97 ? 8 : 8 * 2 ^ (1 + int(3 * random()))
        took = 6000 * exp(1.5 * sqrt(-2 * log(random())) * cos(6.283185307 * random()))
        n += gpus > 8 ? gpus / 8 : 1
        printf "%d,q%d,%d,%d\n", at, 1 + int(8 * random()), gpus, took < 10 ? 10 : took
    }
}
