package io.gpusched.manifests.dialect;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.NvidiaSharing;
import io.gpusched.model.Cluster;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * A dialect of the command line.
 *
 * @param dialect the dialect
 * @param resources what pods may ask of it, by resource name
 */
public record NamedDialect(Dialect dialect, Set<String> resources) {
    /**
     * Returns the name by which nodes are said to speak it: the dialect's own, with the resource of a device plugin of another
     * vendor than NVIDIA, as {@code device-plugin-amd.com.gpu}.
     */
    public String id() {
        return dialect instanceof DevicePluginDialect plugin
                        && !plugin.resource().equals(NvidiaSharing.RESOURCE)
                ? dialect.name() + "-" + plugin.resource().replace('/', '.')
                : dialect.name();
    }

    /** Returns the resources that the nodes of a cluster report and that mean GPUs to no system. */
    public static Set<String> counted(Cluster cluster) {
        Set<String> names = new TreeSet<>();
        cluster.nodes().forEach(node -> names.addAll(node.capacity().named().names()));
        return names;
    }

    /** Returns whether a resource of a node is counted by name: not if it means GPUs, to this dialect or another. */
    public boolean isCounted(String resource) {
        return !resources.contains(resource) && !Dialects.isDevice(resource);
    }

    /** Returns the resources beside CPU and memory that are counted: by the dialect, or by the names that nodes report. */
    public Set<String> served(Set<String> counted) {
        Set<String> served = new HashSet<>(resources);
        served.addAll(counted);
        return served;
    }
}
