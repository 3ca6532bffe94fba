package io.gpusched.kubebench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Measurements as a table in Markdown, and what they say of two schedulers. */
final class BenchTable {
    private static final String HEAD = """
        | shape | scheduler | bound | pods/s | to last bind, s | CPU ms/pod | CPU s to start | writes/pod | conflicts | peak MiB | cores busy elsewhere |
        |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
        """;

    private BenchTable() {}

    static String of(List<Measurement> measurements) {
        StringJoiner text = new StringJoiner("\n", HEAD, "\n");
        measurements.forEach(one -> text.add(row(one)));
        return text.toString();
    }

    private static String row(Measurement one) {
        String peak = one.peakResidentKib().isPresent()
                ? String.valueOf(one.peakResidentKib().getAsLong() / 1_024)
                : "-";
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d of %d | %.0f | %.1f | %.2f | %.1f | %.2f | %d | %s | %.1f |",
                one.shape(),
                one.contender(),
                one.bound(),
                one.shape().pods(),
                one.podsPerSecond(),
                Measurement.seconds(one.toLastBind()),
                one.cpuMillisPerPod(),
                Measurement.seconds(one.startCpu()),
                one.writesPerPod(),
                one.conflicts(),
                peak,
                one.othersBusy());
    }

    /** Returns what was written, a line for each measurement. */
    static String writes(List<Measurement> measurements) {
        return measurements.stream()
                .map(one -> one.shape() + " " + one.contender() + ": " + writes(one.writes()) + "\n")
                .collect(Collectors.joining());
    }

    private static String writes(Map<String, Long> writes) {
        return writes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Returns for each shape that both schedulers were given what ours took of what the other did. */
    static String ratios(List<Measurement> measurements) {
        StringBuilder text = new StringBuilder();
        for (Measurement ours : measurements) {
            measurements.stream()
                    .filter(one -> ours.contender() == Contender.GPU_SCHED
                            && one.contender() == Contender.KUBE_SCHEDULER
                            && one.shape().equals(ours.shape()))
                    .findFirst()
                    .ifPresent(theirs -> text.append(ratio(ours, theirs)));
        }
        return text.toString();
    }

    private static String ratio(Measurement ours, Measurement theirs) {
        return String.format(
                Locale.ROOT,
                "%s: gpu-sched binds %.2f times as many pods a second, takes %.2f of the CPU a pod, %.2f of the time%n",
                ours.shape(),
                ours.podsPerSecond() / theirs.podsPerSecond(),
                ours.cpuMillisPerPod() / theirs.cpuMillisPerPod(),
                Measurement.seconds(ours.toLastBind()) / Measurement.seconds(theirs.toLastBind()));
    }
}
