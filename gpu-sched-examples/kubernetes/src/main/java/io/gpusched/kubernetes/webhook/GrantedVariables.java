package io.gpusched.kubernetes.webhook;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.grant.GrantGuard;
import java.util.List;

/**
 * The environment variables by which a container learns what it was granted, where no device plugin tells it. T9k has none;
 * the other systems' device plugins set their variables when the container starts.
 */
final class GrantedVariables {
    private GrantedVariables() {}

    /** Returns the names of the variables that the dialect writes for a container, in the order in which they are added. */
    static List<String> of(Dialect dialect, ContainerManifest container) {
        if (!(dialect instanceof T9kDialect)) {
            return List.of();
        }
        if (asks(container, T9kDialect.GPU_PERCENT)) {
            return List.of(GrantGuard.DEVICES_SEEN, "T9K_GPU_PERCENT", "T9K_GPU_MEMORY");
        }
        return asks(container, T9kDialect.GPU) || asks(container, T9kDialect.GPU_NODE)
                ? List.of(GrantGuard.DEVICES_SEEN)
                : List.of();
    }

    private static boolean asks(ContainerManifest container, String resource) {
        return container.extended(resource).orElse(0L) > 0;
    }
}
