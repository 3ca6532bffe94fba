package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.internal.AskedAmounts;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of each device with memory in GiB, or in bytes with a unit, and compute in percent, all of it where none is asked for
 * (MetaX sGPU): {@code vmemory: 4} and {@code vmemory: 4Gi} are 4,096 MiB.
 *
 * <p>All tenants of a device share it by one policy, which annotation {@value MetaxTerms#POLICY} names. Pods with an annotation
 * {@value MetaxTerms#APP_CLASS} have devices of their own: online pods take memory and no compute, and go where the fewest of them
 * are; offline pods, which stand still while an online pod runs, do not go where one is. Such pods ask for one device in each
 * container. What runs on a device is known by labels of these names, which pods get here.
 *
 * @param policy by which policy a pod shares: {@code best-effort}, {@code fixed-share} or {@code burst-share}; nothing for pods
 *     that run
 * @param appClass {@code online}, {@code offline}, or nothing
 */
public record MetaxShares(String policy, String appClass) implements VendorForm {
    /** The form of pods that state nothing of this. */
    public static final MetaxShares DEFAULT = of(MetaxTerms.DEFAULT);

    private static final int MIB_PER_GIB = 1_024;

    /** Checks that nothing is missing. */
    public MetaxShares {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(appClass, "appClass");
    }

    private static MetaxShares of(MetaxTerms terms) {
        return new MetaxShares(terms.policy(), terms.appClass());
    }

    private MetaxTerms terms() {
        return new MetaxTerms(policy, appClass);
    }

    @Override
    public VendorForm of(PodManifest pod) {
        return of(MetaxTerms.of(Objects.requireNonNull(pod, "pod")));
    }

    @Override
    public VendorForm held() {
        return of(MetaxTerms.HELD);
    }

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        return VendorAmounts.of(names, container).map(amounts -> {
            MetaxTerms asked = MetaxTerms.of(pod);
            if (asked.hasClass() && amounts.count() != 1) {
                throw new IllegalArgumentException(names.count() + ": must be 1 in a pod with " + MetaxTerms.APP_CLASS
                        + ", got " + amounts.count());
            }
            long cores = amounts.cores(DeviceParts.ALL_CORES, DeviceParts.ALL_CORES);
            return DeviceParts.asked(
                    word, amounts.count(), memoryMib(names.memory(), amounts), asked.isOnline() ? 0 : cores);
        });
    }

    private static long memoryMib(String name, VendorAmounts amounts) {
        String text = amounts.memoryText().trim();
        if (text.isEmpty() || !Character.isLetter(text.charAt(text.length() - 1))) {
            return amounts.memoryMib(MIB_PER_GIB);
        }
        try {
            return AskedAmounts.inRange(name, Quantity.parse(text).mibFloor(), 0, Integer.MAX_VALUE);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return MetaxTerms.of(pod).hasClass()
                ? DeviceParts.share(asked, DeviceParts.MILLIS_PER_CORE)
                : DeviceParts.wholeOrShare(asked, devices);
    }

    @Override
    public boolean needsCompute() {
        return !terms().isOnline() && !terms().equals(MetaxTerms.HELD);
    }

    @Override
    public List<Integer> welcoming(
            NodeState node, List<Integer> devices, GpuRequest request, List<ContainerGrant> earlier) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(devices, "devices");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(earlier, "earlier");
        MetaxTerms terms = terms();
        List<Integer> welcoming = devices.stream()
                .filter(device ->
                        terms.isWelcome(MetaxTerms.ofTenants(node, device), earlier, device, isWhole(request)))
                .toList();
        return terms.isOnline() && welcoming.size() > 1
                ? welcoming.stream().sorted(byOnlinePods(node)).toList()
                : welcoming;
    }

    private static boolean isWhole(GpuRequest request) {
        return !(request instanceof GpuRequest.Share share) || share.computeMillis() == Gpu.WHOLE_COMPUTE_MILLIS;
    }

    /** Devices with offline pods alone come last; else those with the fewest online pods, then offline pods, come first. */
    private static Comparator<Integer> byOnlinePods(NodeState node) {
        return Comparator.comparing((Integer device) -> online(node, device) == 0 && offline(node, device) > 0)
                .thenComparing(device -> online(node, device))
                .thenComparing(device -> offline(node, device));
    }

    private static long online(NodeState node, int device) {
        return MetaxTerms.ofTenants(node, device).stream()
                .filter(MetaxTerms::isOnline)
                .count();
    }

    private static long offline(NodeState node, int device) {
        return MetaxTerms.ofTenants(node, device).stream()
                .filter(tenant -> tenant.hasClass() && !tenant.isOnline())
                .count();
    }

    @Override
    public Map<String, String> marks() {
        return terms().marks();
    }
}
