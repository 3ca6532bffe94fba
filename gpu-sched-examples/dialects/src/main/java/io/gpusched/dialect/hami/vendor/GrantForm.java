package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.internal.JsonText;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How a grant is written, and what stands beside it for a vendor's own device plugin. Times are not written. */
public enum GrantForm {
    /** The grant alone. */
    PLAIN,
    /** Ascend: {@code huawei.com/<word>}, a JSON list of UUIDs with template, memory and cores. */
    ASCEND {
        @Override
        public Set<String> names() {
            return Set.of("huawei.com/Ascend*");
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            String word = grant.held().get(0).share().type();
            String devices = grant.held().stream()
                    .map(held -> JsonText.object(
                            "UUID", held.share().gpu(),
                            "temp", held.profile(),
                            "memory", held.share().memoryMib(),
                            "core", held.share().cores()))
                    .collect(Collectors.joining(",", "[", "]"));
            return Map.of("huawei.com/" + word, devices);
        }
    },
    /**
     * Cambricon: {@code CAMBRICON_DSMLU_PROFILE}, a device of the first container as {@code index_cores_memory} in units of 256 MiB.
     * HAMi names the one that it took first, which among devices in equal use is the one with the highest number.
     */
    CAMBRICON {
        @Override
        public Set<String> names() {
            return Set.of("CAMBRICON_DSMLU_*");
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            List<VendorGrant.Held> devices = grant.containers().stream()
                    .map(VendorGrant.Container::held)
                    .filter(held -> !held.isEmpty())
                    .findFirst()
                    .orElseThrow();
            VendorGrant.Held first = devices.get(devices.size() - 1);
            String profile = first.index() + "_" + first.share().cores() + "_"
                    + first.share().memoryMib() / 256;
            return Map.of("CAMBRICON_DSMLU_ASSIGNED", "false", "CAMBRICON_DSMLU_PROFILE", profile);
        }
    },
    /** Enflame DRS: {@code assigned-containers} with slices and profile of each container, and the first one's device. */
    ENFLAME {
        @Override
        public Set<String> names() {
            return Set.of("assigned-containers", "enflame.com/gcu-assigned*", "enflame.com/gcu-request-size");
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            return EnflameGrant.annotations(grant);
        }
    },
    /** Kunlun: {@code BAIDU_COM_DEVICE_IDX}. */
    KUNLUN {
        @Override
        public Set<String> names() {
            return Set.of("BAIDU_COM_DEVICE_*");
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            return Map.of("BAIDU_COM_DEVICE_IDX", numbers(grant));
        }
    },
    /** MetaX sGPU: {@code metax-tech.com/gpu-devices-allocated}, in JSON by container. */
    METAX {
        @Override
        public Set<String> names() {
            return Set.of("metax-tech.com/gpu-devices-allocated");
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            String containers = grant.shares().stream()
                    .map(shares -> shares.stream()
                            .map(share -> JsonText.object(
                                    "uuid", share.gpu(), "compute", share.cores(), "vRam", share.memoryMib()))
                            .collect(Collectors.joining(",", "[", "]")))
                    .collect(Collectors.joining(",", "[", "]"));
            return Map.of("metax-tech.com/gpu-devices-allocated", containers);
        }
    },
    /** Moore Threads: {@code mthreads.com/gpu-index} and {@code mthreads.com/predicate-node}. */
    MOORE_THREADS {
        @Override
        public Set<String> names() {
            return Set.of("mthreads.com/gpu-index", "mthreads.com/predicate-*");
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            return Map.of("mthreads.com/gpu-index", numbers(grant), "mthreads.com/predicate-node", grant.node());
        }
    },
    /** AWS Neuron: devices with the mask of their cores that are held, and {@code AWS_NEURON_IDS} of devices or cores. */
    NEURON {
        @Override
        public Set<String> names() {
            return Set.of("AWS_NEURON_*", "NEURON_*", "aws.amazon.com/predicate-*");
        }

        @Override
        List<List<VgpuShare>> shares(VendorGrant grant) {
            return NeuronGrant.shares(grant);
        }

        @Override
        Map<String, String> annotations(VendorGrant grant) {
            return new TreeMap<>(NeuronGrant.annotations(grant));
        }

        @Override
        List<Integer> held(String annotation, int container, Node node) {
            return NeuronGrant.indexes(annotation, container, node);
        }
    };

    /** Returns the annotations beside the grant that it may write; a {@code *} stands for any text. */
    public Set<String> names() {
        return Set.of();
    }

    /** Returns what is written of each container. */
    List<List<VgpuShare>> shares(VendorGrant grant) {
        return grant.shares();
    }

    /** Returns the annotations beside the grant, for a pod that holds a device at least. */
    Map<String, String> annotations(VendorGrant grant) {
        return Map.of();
    }

    /** Returns the GPUs that a grant names for a container, ascending. */
    List<Integer> held(String annotation, int container, Node node) {
        return VgpuView.indexes(annotation, container, node);
    }

    private static String numbers(VendorGrant grant) {
        return grant.held().stream()
                .map(held -> String.valueOf(held.index()))
                .distinct()
                .collect(Collectors.joining(","));
    }
}
