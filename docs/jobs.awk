# Sums up what simulate's --jobs-csv writes, in a row: makespan and mean completion in seconds; the worst finish-time fairness and the
# percentage of jobs above 1.05 (time to completion over the run time alone, times what -v contention says); and by how much jobs that
# were told a start completed later than told, in percent of the told time to completion, the others counted as 0.
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
