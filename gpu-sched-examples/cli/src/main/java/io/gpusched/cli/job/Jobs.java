package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The kinds of jobs that are read as gangs. */
public final class Jobs {
    private static final List<JobKind> FAMILIES = List.of(
            new JobSetJobs(),
            new LeaderWorkerSets(),
            new RayJobs(),
            new KubeflowJobs(),
            new TrainJobs(),
            new InferenceServices(),
            new PodCliqueSets(),
            new VolcanoJobs(),
            new KueueWorkloads());

    /** Kinds of this name mean something else without their API. */
    private static final Set<String> AMBIGUOUS = Set.of("Job", "Workload");

    private Jobs() {}

    /** Returns the kinds by name, those of Volcano and Kueue with their API. */
    public static List<String> kinds() {
        Set<String> kinds = new TreeSet<>();
        for (JobKind family : FAMILIES) {
            family.kinds()
                    .forEach(kind -> kinds.add(AMBIGUOUS.contains(kind) ? kind + " of " + family.apiGroup() : kind));
        }
        return List.copyOf(kinds);
    }

    /** Returns whether an object is such a job. */
    public static boolean isOne(YamlNode object) {
        return familyOf(object).isPresent();
    }

    private static Optional<JobKind> familyOf(YamlNode object) {
        String kind = object.need("kind").text();
        String version = object.at("apiVersion").textOr("");
        return FAMILIES.stream()
                .filter(family -> family.kinds().contains(kind))
                .filter(family ->
                        version.isEmpty() ? !AMBIGUOUS.contains(kind) : version.startsWith(family.apiGroup() + "/"))
                .findFirst();
    }

    /**
     * Returns the gangs that a job starts, each by itself; none if it has no pods now.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a field is missing, illegal or not honoured
     */
    public static List<Gang> read(YamlNode object, JobFile file) {
        JobPods job = new JobPods(object, file);
        List<Gang> gangs = familyOf(object).orElseThrow().read(job);
        List<Gang> filled = gangs.stream()
                .filter(gang -> !gang.isEmpty())
                .map(gang -> JobTopology.of(gang, file))
                .toList();
        if (filled.isEmpty()) {
            file.warn(object.at("spec"), "has no pods to place");
        }
        return filled;
    }
}
