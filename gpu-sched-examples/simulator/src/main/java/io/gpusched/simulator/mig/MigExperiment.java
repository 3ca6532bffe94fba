package io.gpusched.simulator.mig;

import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.simulator.Parallel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Which part of the pods gets its MIG partition: by rules of others, by the library, and at most. Models whose profiles lie at the same
 * places are played once.
 */
public final class MigExperiment {
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
     * Plays everything.
     *
     * @param threads how many orders to play at once, at least 1
     */
    public List<MigRow> play(int threads) {
        List<Scene> scenes = scenes();
        List<Callable<MigOrder>> runs = new ArrayList<>();
        scenes.forEach(scene -> seeds.forEach(seed -> runs.add(() -> play(scene, seed))));
        List<MigOrder> orders = Parallel.all(runs, threads);
        List<MigRow> rows = new ArrayList<>();
        for (int i = 0; i < scenes.size(); i++) {
            List<MigOrder> its = orders.subList(i * seeds.size(), (i + 1) * seeds.size());
            rows.add(new MigRow(scenes.get(i).name(), scenes.get(i).mix().toString(), its));
        }
        return rows;
    }

    /** Returns what was accepted, in percent, as the lines of a table. */
    public static List<String> percents(List<MigRow> rows) {
        return lines(MigRow.heading(), rows, MigRow::percents);
    }

    /** Returns the parts of {@link #percents} by models and mix, then by rule. */
    public static Map<String, Map<String, Double>> parts(List<MigRow> rows) {
        Map<String, Map<String, Double>> parts = new LinkedHashMap<>();
        rows.forEach(row -> parts.put(row.models() + ", " + row.mix(), row.parts()));
        return parts;
    }

    /** Returns what each column of {@link #percents} means. */
    public static Map<String, String> meanings() {
        return MigRow.meanings();
    }

    /** Returns what the library accepts more than each other rule, in points, as the lines of a table; of two orders or more. */
    public static List<String> gains(List<MigRow> rows) {
        return lines(MigRow.gainHeading(), rows, MigRow::gains);
    }

    private static List<String> lines(String heading, List<MigRow> rows, Function<MigRow, String> line) {
        return Stream.concat(Stream.of(heading), rows.stream().map(line)).toList();
    }

    /** A mix on one kind of model. */
    private record Scene(String name, PartitionGeometry geometry, MigMix mix) {}

    private static List<Scene> scenes() {
        Map<String, List<MigGeometry>> alike = new LinkedHashMap<>();
        for (MigGeometry model : MigGeometry.values()) {
            String places = plain(model.geometry()).stream()
                    .map(profile -> profile.size() + "@" + profile.starts())
                    .toList()
                    .toString();
            alike.computeIfAbsent(places, any -> new ArrayList<>()).add(model);
        }
        List<Scene> scenes = new ArrayList<>();
        for (List<MigGeometry> models : alike.values()) {
            String first = models.get(0).product();
            String name = models.size() > 1 ? first + " and " + (models.size() - 1) + " more" : first;
            for (MigMix mix : MigMix.values()) {
                scenes.add(new Scene(name, models.get(0).geometry(), mix));
            }
        }
        return scenes;
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
            text.append(MigRow.percent(cluster.accepted(SmallCluster.chooser(model, rule, parts))));
        }
        text.append(MigRow.percent(cluster.accepted(SmallCluster.library(geometry.geometry(), model, parts, gpus))));
        text.append(MigRow.percent(cluster.most(false))).append(MigRow.percent(cluster.most(true)));
        return text.append(MigRow.percent(cluster.bound())).toString();
    }

    private static List<PartitionProfile> plain(PartitionGeometry geometry) {
        return geometry.profiles().stream()
                .filter(profile -> profile.name().matches(PLAIN))
                .toList();
    }

    private MigOrder play(Scene scene, long seed) {
        SliceModel model = new SliceModel(scene.geometry(), plain(scene.geometry()));
        double[] parts = scene.mix().parts(model.profiles);
        MigArrivals arrivals = MigArrivals.draw(model, parts, gpus, load, PODS, seed);
        List<Integer> accepted = new ArrayList<>();
        for (SliceRule rule : SliceRule.values()) {
            accepted.add(MigRun.accepted(model, rule, parts, arrivals, gpus));
        }
        accepted.add(MigRun.acceptedByLibrary(scene.geometry(), model, parts, arrivals, gpus));
        return new MigOrder(
                MigRun.counted(arrivals),
                accepted,
                MigRun.repacked(scene.geometry(), model, arrivals, gpus),
                MigRun.bound(model, arrivals, gpus));
    }
}
