package io.gpusched.manifests.view;

import io.gpusched.model.PodId;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * GPUs that a pod may hold, though no annotation that can be read says so.
 *
 * @param node the node
 * @param pod the pod
 * @param gpus how many GPUs are set aside for it, 1 or more
 * @param problem why it cannot be told which it holds
 */
public record SetAside(String node, PodId pod, int gpus, String problem) {
    private static final int MOST_NAMED = 3;

    /** Returns what is to be said of it: "node n1: 2 GPUs are held by pods without a readable grant: ns/p (why)". */
    public String words() {
        return "node " + node + ": " + words(List.of(this)) + " (" + problem + ")";
    }

    /** Returns the sum in words: "2 GPUs are held by pods without a readable grant: ns/p"; empty for none. */
    public static String words(Collection<SetAside> all) {
        if (all.isEmpty()) {
            return "";
        }
        int gpus = all.stream().mapToInt(SetAside::gpus).sum();
        String names = all.stream()
                .limit(MOST_NAMED)
                .map(one -> one.pod().namespace() + "/" + one.pod().name())
                .collect(Collectors.joining(", "));
        int more = all.size() - MOST_NAMED;
        return gpus + (gpus == 1 ? " GPU is" : " GPUs are") + " held by pods without a readable grant: " + names
                + (more > 0 ? " and " + more + " more" : "");
    }
}
