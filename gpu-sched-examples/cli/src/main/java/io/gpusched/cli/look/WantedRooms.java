package io.gpusched.cli.look;

import io.gpusched.analysis.DefragPlan.Gain;
import io.gpusched.analysis.WantedRoom;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads which room is wanted. */
final class WantedRooms implements ITypeConverter<WantedRooms.Wanted> {
    private static final String DOMAIN = "domain:";
    private static final String GPUS = "gpus:";

    @Override
    public Wanted convert(String text) {
        boolean isKnown = text.equals("nodes")
                || text.equals("mix")
                || text.startsWith(DOMAIN) && text.length() > DOMAIN.length()
                || text.matches(GPUS + "[1-9][0-9]?");
        if (!isKnown) {
            throw new TypeConversionException("must be nodes, domain:LEVEL, gpus:N or mix, got \"" + text + "\"");
        }
        return new Wanted(text);
    }

    /**
     * The room that is wanted, and its words.
     *
     * @param text what was given
     */
    record Wanted(String text) {
        List<WantedRoom> rooms(SeenCluster seen) {
            if (text.equals("mix")) {
                List<Pod> pods = seen.cluster().placements().stream()
                        .filter(Held::any)
                        .flatMap(held -> Pod.of(held).stream())
                        .toList();
                return pods.isEmpty() ? List.of() : WantedRoom.of(WorkloadProfile.of(pods));
            }
            if (text.startsWith(DOMAIN)) {
                return List.of(WantedRoom.wholeDomains(level(seen)));
            }
            if (text.startsWith(GPUS)) {
                int gpus = Integer.parseInt(text.substring(GPUS.length()));
                return List.of(WantedRoom.pods(Pod.of("wanted", Resources.NONE, GpuRequest.exclusive(gpus))));
            }
            return List.of(WantedRoom.wholeNodes());
        }

        private String level(SeenCluster seen) {
            String level = text.substring(DOMAIN.length());
            Set<String> levels = new TreeSet<>();
            seen.cluster()
                    .nodes()
                    .forEach(node -> node.node().topology().domains().forEach(domain -> levels.add(domain.level())));
            if (!levels.contains(level)) {
                throw new IllegalArgumentException("--want " + text + ": no node has the topology level \"" + level
                        + "\"; "
                        + (levels.isEmpty()
                                ? "no level is known here"
                                : "known here are " + String.join(", ", levels)));
            }
            return level;
        }

        /** The units in words, such as {@code 3 whole nodes}. */
        String count(List<Long> units) {
            long sum = units.stream().mapToLong(Long::longValue).sum();
            String one = text.startsWith(DOMAIN)
                    ? "whole " + text.substring(DOMAIN.length())
                    : text.equals("nodes") ? "empty node" : "place";
            String what = text.startsWith(GPUS) ? " for pods of " + text.substring(GPUS.length()) + " GPUs" : "";
            return sum + " " + one + (sum == 1 ? "" : "s")
                    + (text.equals("mix") ? " for pods like the running ones" : what);
        }

        /** What a stage is for, in words. */
        String words(List<Gain> gains) {
            boolean isEmptied = text.equals("nodes") || text.startsWith(DOMAIN);
            return gains.stream()
                    .filter(gain -> gain.units() > 0)
                    .map(Gain::where)
                    .distinct()
                    .collect(Collectors.joining(", ", isEmptied ? "to empty " : "to make room on ", ": "));
        }
    }
}
