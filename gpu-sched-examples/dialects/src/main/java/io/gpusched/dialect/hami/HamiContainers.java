package io.gpusched.dialect.hami;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.vendor.VendorCatalog;
import io.gpusched.dialect.hami.vendor.VendorRequest;
import io.gpusched.dialect.vgpu.VgpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what the containers of a pod ask, of NVIDIA's GPUs or of other vendors' devices, as HAMi's webhook leaves them.
 *
 * @param settings how NVIDIA's are asked for
 * @param vendors the other vendors
 */
record HamiContainers(HamiSettings settings, VendorCatalog vendors) {
    /** What one container asks: of one of the two at most. */
    record ContainerRequest(Optional<VgpuRequest> nvidia, Optional<VendorRequest> other) {
        /** Returns the amounts. */
        Optional<VgpuRequest> amounts() {
            return nvidia.or(() -> other.map(VendorRequest::amounts));
        }
    }

    /**
     * Returns what each container asks.
     *
     * @throws RefusedException if HAMi's rules forbid it
     */
    List<ContainerRequest> asked(PodManifest manifest) {
        List<ContainerRequest> all = new ArrayList<>();
        for (ContainerManifest container : manifest.containers()) {
            Optional<VgpuRequest> nvidia = nvidia(manifest, container);
            Optional<VendorRequest> other = other(manifest, container);
            if (nvidia.isPresent() && other.isPresent()) {
                String second = other.get().vendor().resources().count();
                throw new RefusedException(
                        what(manifest, container), VendorCatalog.twoKinds(settings.countResource(), second));
            }
            all.add(new ContainerRequest(nvidia, other));
        }
        return all;
    }

    private Optional<VgpuRequest> nvidia(PodManifest manifest, ContainerManifest container) {
        ContainerManifest admitted = admit(manifest, container);
        return refusing(manifest, container, () -> read(admitted));
    }

    private Optional<VendorRequest> other(PodManifest manifest, ContainerManifest container) {
        return refusing(manifest, container, () -> vendors.asked(manifest, container));
    }

    private static <T> T refusing(PodManifest manifest, ContainerManifest container, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new RefusedException(what(manifest, container), String.valueOf(e.getMessage()));
        }
    }

    /** Returns what a container asks of NVIDIA's GPUs by its amounts as they stand there. */
    Optional<VgpuRequest> read(ContainerManifest container) {
        return HamiRequests.of(settings).parse(container.limits(), container.requests());
    }

    /** Returns a container as the webhook leaves it. */
    ContainerManifest admit(PodManifest manifest, ContainerManifest container) {
        HamiAdmission webhook = HamiAdmission.of(settings);
        webhook.refusal(container.limits(), container.requests()).ifPresent(rule -> {
            throw new RefusedException(what(manifest, container), rule);
        });
        return new ContainerManifest(
                container.name(),
                container.kind(),
                container.requests(),
                webhook.complete(container.limits(), container.requests()),
                container.named());
    }

    private static String what(PodManifest manifest, ContainerManifest container) {
        return "pod \"" + manifest.id() + "\", container \"" + container.name() + "\"";
    }
}
