package io.gpusched.conformance.kai;

import io.gpusched.conformance.Difference;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares where tasks are with what a case expects. Members that ask for the same are interchangeable. */
final class KaiComparison {
    private final VectorCase vector;
    private final List<KaiJob> jobs;
    private boolean isExchanged;

    private KaiComparison(VectorCase vector, List<KaiJob> jobs) {
        this.vector = vector;
        this.jobs = jobs;
    }

    static KaiComparison of(VectorCase vector, List<KaiJob> jobs) {
        return new KaiComparison(vector, jobs);
    }

    /** Returns failed if there are differences besides, or a job is elsewhere than expected. */
    Outcome outcome(List<Difference> besides) {
        List<Difference> differences = new ArrayList<>(besides);
        jobs.forEach(job -> compare(job, differences));
        compareNodes(differences);
        return differences.isEmpty() && isExchanged
                ? Outcome.passed("equal members of a job have each other's places")
                : Outcome.of(differences);
    }

    private void compare(KaiJob job, List<Difference> differences) {
        Map<String, List<String>> expected = new TreeMap<>();
        Map<String, List<String>> found = new TreeMap<>();
        for (KaiTask task : job.tasks) {
            YamlNode wanted = wanted(job, task);
            if (wanted.isPresent()) {
                String kind = task.podSet + " " + task.pod.spec();
                expected.computeIfAbsent(kind, any -> new ArrayList<>()).add(words(wanted));
                found.computeIfAbsent(kind, any -> new ArrayList<>()).add(task.answer(namesNode(wanted)));
            }
        }
        expected.forEach((kind, one) -> {
            List<String> other = found.getOrDefault(kind, List.of());
            if (!one.equals(other)) {
                isExchanged = true;
                List<String> sorted = new ArrayList<>(other);
                Collections.sort(one);
                Collections.sort(sorted);
                if (!one.equals(sorted)) {
                    differences.add(new Difference("$.expected." + job.name, one.toString(), sorted.toString()));
                }
            }
        });
    }

    private YamlNode wanted(KaiJob job, KaiTask task) {
        YamlNode expected = vector.field("expected");
        YamlNode own = expected.at("tasks").at(task.name);
        return own.isPresent() ? own : expected.at("jobs").at(job.name);
    }

    private static String words(YamlNode wanted) {
        String status = wanted.need("status").text();
        return namesNode(wanted) ? status + " on " + wanted.need("node").text() : status;
    }

    /** What has failed or waits is nowhere, even where a case names the node it was on. */
    private static boolean namesNode(YamlNode wanted) {
        String status = wanted.need("status").text();
        return wanted.has("node")
                && !status.equals("pending")
                && !status.equals("failed")
                && !status.equals("succeeded");
    }

    /** Counts whole GPUs that nobody holds, and those that only what is ending holds. */
    private void compareNodes(List<Difference> differences) {
        vector.field("expected").at("nodes").map().forEach((node, wanted) -> {
            Map<Integer, Boolean> ending = new TreeMap<>();
            for (KaiJob job : jobs) {
                for (KaiTask task : job.tasks) {
                    if (task.place != null && task.place.node().equals(node)) {
                        task.place.gpus().forEach(gpu -> ending.merge(gpu, task.isEnding(), Boolean::logicalAnd));
                    }
                }
            }
            long releasing = ending.values().stream().filter(all -> all).count();
            long idle = gpus(node) - ending.size();
            compare(differences, node + ".idleGpus", wanted.at("idleGpus"), idle);
            compare(differences, node + ".releasingGpus", wanted.at("releasingGpus"), releasing);
        });
    }

    private long gpus(String name) {
        for (YamlNode node : vector.field("nodes").list()) {
            if (node.need("name").text().equals(name)) {
                return node.need("gpus").number();
            }
        }
        throw vector.field("nodes").error("lack " + name);
    }

    private static void compare(List<Difference> differences, String what, YamlNode wanted, long found) {
        if (wanted.isPresent() && wanted.number() != found) {
            differences.add(new Difference("$.expected.nodes." + what, wanted.text(), Long.toString(found)));
        }
    }
}
