package io.gpusched.examples.mig;

import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which part of the pods gets its MIG partition: by rules of others, by the library, and at most. Models whose profiles lie at the same
 * places are played once.
 */
public final class MigExperiment {
    private static final List<SliceRule> RULES = List.of(SliceRule.values());
    private static final int PODS = 6_000;
    private static final String PLAIN = "\\d+g\\.\\d+gb";

    private final int gpus;
    private final double load;
    private final List<Long> seeds;

    /**
     * @param gpus how many GPUs there are
     * @param load the units that pods ask for, as a multiple of what the GPUs have
     * @param seeds one run for each
     */
    public MigExperiment(int gpus, double load, List<Long> seeds) {
        this.gpus = gpus;
        this.load = load;
        this.seeds = List.copyOf(seeds);
    }

    /**
     * What was accepted in one mix on one kind of model, in percent; the last rule is the library's.
     *
     * @param repackedPercent what would be accepted if pods could be moved at any time
     * @param boundPercent what could be if all came and went as on average
     */
    public record Row(String models, String mix, List<Double> percents, double repackedPercent, double boundPercent) {
        /** Returns the best of the rules of others. */
        public double bestOther() {
            return percents.subList(0, percents.size() - 1).stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
        }

        /** Returns what the library accepts. */
        public double library() {
            return percents.get(percents.size() - 1);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("| " + models + " | " + mix + " |");
            percents.forEach(percent -> text.append(String.format(Locale.ROOT, " %.2f |", percent)));
            return text.append(String.format(Locale.ROOT, " %.2f | %.2f |", repackedPercent, boundPercent))
                    .toString();
        }
    }

    /** Returns the heading of the table. */
    public static String heading() {
        StringBuilder text = new StringBuilder("| models | mix |");
        StringBuilder line = new StringBuilder("|---|---|");
        for (SliceRule rule : SliceRule.values()) {
            text.append(" ").append(rule).append(" |");
            line.append("---:|");
        }
        return text.append(" look-ahead | with moves | averages |\n")
                .append(line)
                .append("---:|---:|---:|")
                .toString();
    }

    /** Plays everything. */
    public List<Row> play() {
        Map<String, List<MigGeometry>> alike = new HashMap<>();
        List<String> order = new ArrayList<>();
        for (MigGeometry model : MigGeometry.values()) {
            String places = plain(model.geometry()).stream()
                    .map(profile -> profile.size() + "@" + profile.starts())
                    .toList()
                    .toString();
            if (!alike.containsKey(places)) {
                order.add(places);
            }
            alike.computeIfAbsent(places, any -> new ArrayList<>()).add(model);
        }
        List<Row> rows = new ArrayList<>();
        for (String places : order) {
            List<MigGeometry> models = alike.getOrDefault(places, List.of());
            String name = models.size() > 1
                    ? models.get(0).product() + " and " + (models.size() - 1) + " more"
                    : models.get(0).product();
            for (MigMix mix : MigMix.values()) {
                rows.add(play(name, models.get(0).geometry(), mix));
            }
        }
        return rows;
    }

    /** Plays small clusters on which the best that any rule can do is known, as the lines of a table. */
    public static List<String> playSmall(double load) {
        List<String> lines = new ArrayList<>();
        StringBuilder heading = new StringBuilder("| GPUs | mix |");
        SmallCluster.RULES.forEach(rule -> heading.append(" ").append(rule).append(" |"));
        lines.add(heading + " look-ahead | best rule | best that may refuse | averages |");
        lines.add("|---|---|" + "---:|".repeat(SmallCluster.RULES.size() + 4));
        for (MigMix mix : MigMix.values()) {
            lines.add(small(MigGeometry.A30_24GB, 3, mix, load));
        }
        for (MigMix mix : MigMix.values()) {
            lines.add(small(MigGeometry.A100_40GB, 1, mix, load));
        }
        return lines;
    }

    private static String small(MigGeometry geometry, int gpus, MigMix mix, double load) {
        SliceModel model = new SliceModel(geometry.geometry(), plain(geometry.geometry()));
        double[] parts = mix.parts(model.profiles);
        SmallCluster cluster = new SmallCluster(model, parts, gpus, load);
        StringBuilder text = new StringBuilder("| " + gpus + " " + geometry.product() + " | " + mix + " |");
        for (SliceRule rule : SmallCluster.RULES) {
            text.append(percent(cluster.accepted(SmallCluster.chooser(model, rule, parts))));
        }
        text.append(percent(cluster.accepted(SmallCluster.library(geometry.geometry(), model, parts, gpus))));
        text.append(percent(cluster.most(false))).append(percent(cluster.most(true)));
        return text.append(percent(cluster.bound())).toString();
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, " %.2f |", 100 * part);
    }

    private static List<PartitionProfile> plain(PartitionGeometry geometry) {
        return geometry.profiles().stream()
                .filter(profile -> profile.name().matches(PLAIN))
                .toList();
    }

    private Row play(String name, PartitionGeometry geometry, MigMix mix) {
        SliceModel model = new SliceModel(geometry, plain(geometry));
        double[] parts = mix.parts(model.profiles);
        long[] accepted = new long[RULES.size() + 1];
        long counted = 0;
        long repacked = 0;
        double bound = 0;
        for (long seed : seeds) {
            MigArrivals arrivals = MigArrivals.draw(model, parts, gpus, load, PODS, seed);
            counted += MigRun.counted(arrivals);
            for (int r = 0; r < RULES.size(); r++) {
                accepted[r] += MigRun.accepted(model, RULES.get(r), parts, arrivals, gpus);
            }
            accepted[accepted.length - 1] += MigRun.acceptedByLibrary(geometry, model, parts, arrivals, gpus);
            repacked += MigRun.repacked(geometry, model, arrivals, gpus);
            bound += MigRun.bound(model, arrivals, gpus);
        }
        List<Double> percents = new ArrayList<>();
        for (long one : accepted) {
            percents.add(100.0 * one / counted);
        }
        return new Row(name, mix.toString(), percents, 100.0 * repacked / counted, 100 * bound / seeds.size());
    }
}
