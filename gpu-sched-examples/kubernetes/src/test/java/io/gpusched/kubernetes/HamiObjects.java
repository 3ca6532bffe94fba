package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;

/** Nodes as HAMi's device plugins register them, and pods as HAMi's scheduler left them. */
public final class HamiObjects {
    /** What a pod holds. */
    public static final String GRANT = "hami.io/vgpu-devices-allocated";

    /** Which instances of GPUs in MIG mode a pod holds. */
    public static final String MIG_GRANT = "hami.io/vgpu-mig-allocations";

    /** One GPU that is shared, and one that is cut into instances of a quarter. */
    private static final String MIG_REGISTER = """
            [{"id":"core","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true},
             {"id":"cut","count":7,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"mig","health":true,"migProfiles":[
               {"name":"2g.10gb","memoryMB":9856,"core":29,"sliceCount":2,
                "placements":[{"start":0,"size":2},{"start":2,"size":2},{"start":4,"size":2}]}]}]""";

    private HamiObjects() {}

    /** Returns node {@code n1}. */
    public static Node node(Map<String, String> annotations, Map<String, String> devices) {
        return new NodeBuilder(Manifests.node("n1", Map.of(), devices))
                .editMetadata()
                .withAnnotations(annotations)
                .endMetadata()
                .build();
    }

    /** Returns node {@code n1} with a GPU named {@code core}, and one named {@code cut} in MIG mode. */
    public static Node migNode() {
        return node(Map.of("hami.io/node-nvidia-register", MIG_REGISTER), Map.of("nvidia.com/gpu", "17"));
    }

    /** Returns a pod that runs on {@code n1}. */
    public static Pod running(String name, Map<String, String> annotations, Map<String, String> limits) {
        return new PodBuilder(Manifests.pod(name, limits))
                .editMetadata()
                .withUid("uid-" + name)
                .withAnnotations(annotations)
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
    }
}
