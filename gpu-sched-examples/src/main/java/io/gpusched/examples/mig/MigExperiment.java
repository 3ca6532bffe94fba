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

    /** What was accepted in one mix on one kind of model, in percent; the last rule is the library's. */
    public record Row(String models, String mix, List<Double> percents, double boundPercent) {
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
            return text.append(String.format(Locale.ROOT, " %.2f |", boundPercent))
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
        return text.append(" look-ahead | bound |\n")
                .append(line)
                .append("---:|---:|")
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
        double bound = 0;
        for (long seed : seeds) {
            MigArrivals arrivals = MigArrivals.draw(model, parts, gpus, load, PODS, seed);
            counted += MigRun.counted(arrivals);
            for (int r = 0; r < RULES.size(); r++) {
                accepted[r] += MigRun.accepted(model, RULES.get(r), parts, arrivals, gpus);
            }
            accepted[accepted.length - 1] += MigRun.acceptedByLibrary(geometry, model, parts, arrivals, gpus);
            bound += MigRun.bound(model, arrivals, gpus);
        }
        List<Double> percents = new ArrayList<>();
        for (long one : accepted) {
            percents.add(100.0 * one / counted);
        }
        return new Row(name, mix.toString(), percents, 100 * bound / seeds.size());
    }
}
