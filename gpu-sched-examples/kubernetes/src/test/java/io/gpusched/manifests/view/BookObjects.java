package io.gpusched.manifests.view;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.manifests.dialect.Dialects;
import java.util.List;

/** Books and bound pods for tests. */
final class BookObjects {
    private BookObjects() {}

    static ClusterBook book(String... dialects) {
        return new ClusterBook(new DialectSet(List.of(dialects).stream()
                .map(name -> Dialects.find(name).orElseThrow())
                .toList()));
    }

    static Pod bound(Pod pod, String node, String grant) {
        return new PodBuilder(pod)
                .editMetadata()
                .withUid("uid-" + pod.getMetadata().getName())
                .addToAnnotations("gpu-sched.io/grant", grant)
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    static String whole(String node, int... gpus) {
        StringBuilder ids = new StringBuilder();
        for (int gpu : gpus) {
            ids.append(ids.isEmpty() ? "" : ",")
                    .append('"')
                    .append(node)
                    .append("-gpu-")
                    .append(gpu)
                    .append('"');
        }
        return "{\"version\":1,\"node\":\"" + node + "\",\"containers\":{\"main\":{\"gpus\":[" + ids + "]}}}";
    }
}
