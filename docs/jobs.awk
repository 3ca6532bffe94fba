# Sums up in one row what simulate's --jobs-csv writes:
#   makespan, in seconds
#   mean time to completion, in seconds
#   the worst finish-time fairness: time to completion / (run time x contention)
#   the percentage of jobs whose fairness is above 1.05
#   how late jobs are that were told a start, in percent of the time to completion that it meant; who starts earlier counts as 0
#
#   awk -F, -f docs/jobs.awk -v name=easy -v contention=3.75 jobs.csv
NR == 1 {
    for (i = 1; i <= NF; i++) at[$i] = i
    next
}
{
    took = $at["end_s"] - $at["submit_s"]
    completion += took
    if ($at["end_s"] > makespan) makespan = $at["end_s"]
    fairness = $at["duration_s"] > 0 ? took / ($at["duration_s"] * contention) : 0
    if (fairness > worst) worst = fairness
    unfair += fairness > 1.05
    jobs++
}
$at["promised_s"] != "" {
    told++
    late = $at["start_s"] - $at["promised_s"]
    if (late > 0) error += late / ($at["promised_s"] - $at["submit_s"] + $at["duration_s"])
}
END {
    printf "%s %d %.0f %.3f %.2f %.2f\n", name, makespan, completion / jobs, worst, 100 * unfair / jobs, told ? 100 * error / told : 0
}
