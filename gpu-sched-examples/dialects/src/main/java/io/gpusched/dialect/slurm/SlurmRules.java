package io.gpusched.dialect.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Slurm's rules about options that go together. */
final class SlurmRules {
    private SlurmRules() {}

    /** Checks which options go together. */
    static void checkKinds(SlurmOptions options, List<SlurmGres> perNode) {
        boolean gpu = perNode.stream().anyMatch(gres -> gres.name().equals(SlurmGres.GPU))
                || options.texts().keySet().stream().anyMatch(option -> option.startsWith("gpus"));
        boolean shared = perNode.stream().anyMatch(SlurmGres::isShared)
                || options.sharedPerTask().isPresent();
        long kinds = perNode.stream()
                .filter(SlurmGres::isShared)
                .map(SlurmGres::name)
                .distinct()
                .count();
        if (gpu && shared || kinds > 1) {
            throw SlurmOptions.refused(
                    "Invalid generic resource (gres) specification: gpu, mps and shard exclude each other in one job");
        }
        if (shared && options.has("gpu-freq")) {
            throw SlurmOptions.refused("--gpu-freq cannot be used with mps or shard");
        }
        if (!gpu && (options.has("cpus-per-gpu") || options.has("mem-per-gpu"))) {
            throw SlurmOptions.refused("--cpus-per-gpu and --mem-per-gpu need a request for gpus");
        }
        if (options.has("gpus-per-socket") && options.number("sockets-per-node").isEmpty()) {
            throw SlurmOptions.refused("--gpus-per-socket needs --sockets-per-node");
        }
        boolean hasTasks = options.has("ntasks") || options.has("nodes") && options.has("ntasks-per-node");
        if (options.has("gpus-per-task") && !hasTasks && !options.has("gpus")) {
            throw SlurmOptions.refused("--gpus-per-task needs --ntasks, --gpus, or --nodes with --ntasks-per-node");
        }
        for (String other : List.of("gpus-per-task", "gpus-per-socket", "ntasks-per-node")) {
            if (options.has("ntasks-per-gpu") && options.has(other)) {
                throw SlurmOptions.refused("--" + other + " and --ntasks-per-gpu exclude each other");
            }
        }
    }

    /** Checks the types that options name. */
    static void checkTypes(SlurmOptions options, List<SlurmGres> perNode) {
        List<SlurmGres> all = new ArrayList<>(perNode);
        for (String option : List.of("gpus", "gpus-per-socket", "gpus-per-task")) {
            all.addAll(options.gpus(option));
        }
        boolean typed = all.stream().anyMatch(gres -> !gres.type().isEmpty());
        boolean untyped = all.stream().anyMatch(gres -> gres.type().isEmpty());
        Set<String> wide = options.types(List.of("gres", "gpus-per-node", "gpus"));
        Set<String> narrow = options.types(List.of("gpus-per-socket", "gpus-per-task"));
        sameTypes(
                "per job", options.types(List.of("gpus")), "per node", options.types(List.of("gres", "gpus-per-node")));
        sameTypes("per job or node", wide, "per socket or task", narrow);
        if (wide.isEmpty() && options.has("gpus-per-socket")) {
            throw SlurmOptions.refused(
                    "--gpus-per-socket also needs a number of gpus per job or node: the number of sockets of a job"
                            + " is not known here");
        }
        if (typed && untyped) {
            throw SlurmOptions.refused(
                    "Invalid generic resource (gres) specification: a job may not ask for a gres both with and "
                            + "without a type, got " + all);
        }
    }

    private static void sameTypes(String wider, Set<String> wide, String narrower, Set<String> narrow) {
        if (!wide.isEmpty() && !wide.containsAll(narrow)) {
            throw SlurmOptions.refused("gpus " + narrower + " must be of types that are asked for " + wider + ", got "
                    + narrow + " and " + wide);
        }
        if (!narrow.isEmpty() && narrower.equals("per node") && !wide.isEmpty() && !narrow.containsAll(wide)) {
            throw SlurmOptions.refused("gpus " + wider + " must be of types that are asked for " + narrower + ", got "
                    + wide + " and " + narrow);
        }
    }
}
