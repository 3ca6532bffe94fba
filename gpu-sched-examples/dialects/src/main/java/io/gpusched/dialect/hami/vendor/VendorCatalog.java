package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The families of devices that an installation of HAMi manages beside NVIDIA's. Immutable and thread-safe. */
public final class VendorCatalog {
    /** No family. */
    public static final VendorCatalog NONE = new VendorCatalog(List.of());

    /**
     * HAMi's own rows, with the names and amounts of its default settings (HAMi 2.10, commit 4707fb02):
     *
     * <ul>
     *   <li>Hygon: {@code hygon.com/dcunum}, {@code dcumem}, {@code dcucores}; MiB; percent
     *   <li>Iluvatar: {@code iluvatar.ai/<chip>-vgpu}, {@code .vMem}, {@code .vCore}; 256 MiB; percent
     *   <li>Cambricon: {@code cambricon.com/vmlu}, {@code mlu.smlu.vmemory}, {@code .vcore}; 256 MiB; percent
     *   <li>Moore Threads: {@code mthreads.com/vgpu}, {@code sgpu-memory}, {@code sgpu-core}; slices of 2 to 96 units of 512 MiB, 16 cores; a pod on one device
     *   <li>MetaX: {@code metax-tech.com/gpu}; {@code sgpu}, {@code vmemory}, {@code vcore}; whole; GiB or bytes, percent, the tightest link zone
     *   <li>Enflame: {@code enflame.com/gcu}; {@code drs-gcu}, or {@code gcu-memory}, {@code gcu-core}; whole; the smallest profile that serves
     *   <li>Kunlun: {@code kunlunxin.com/xpu}; {@code vxpu}, {@code vxpu-memory}; 1, 2, 4 or 8 devices; shares of 24,576, 49,152 or 98,304 MiB
     *   <li>AWS Neuron: {@code aws.amazon.com/neuron} or {@code neuroncore}; one core, or whole devices in runs
     *   <li>Ascend: {@code huawei.com/<chip>}, {@code -memory}, {@code -core}; MiB rounded up to a template; with {@code huawei.com/vnpu-mode: hami-core} any MiB and percent
     * </ul>
     */
    public static final VendorCatalog DEFAULT = of(HamiVendors.all());

    private final List<HamiVendor> vendors;

    private VendorCatalog(List<HamiVendor> vendors) {
        this.vendors = vendors;
    }

    /**
     * Returns the catalog of these families.
     *
     * @throws IllegalArgumentException if two have one word or one resource name in common
     */
    public static VendorCatalog of(List<HamiVendor> vendors) {
        Checks.noNulls("vendors", vendors);
        Map<String, String> owners = new LinkedHashMap<>();
        for (HamiVendor vendor : vendors) {
            List<String> unique = new ArrayList<>(vendor.resources().names());
            unique.add(vendor.vendor());
            for (String name : unique) {
                String other = owners.putIfAbsent(name, vendor.word());
                if (other != null) {
                    throw new IllegalArgumentException("hami vendors: \"" + name + "\" belongs to " + other + " and to "
                            + vendor.word() + "\nMaybe a settings file names one resource twice.");
                }
            }
        }
        return new VendorCatalog(List.copyOf(vendors));
    }

    /**
     * Returns this catalog with a family in the place of the one with the same word, or at its end.
     *
     * @throws IllegalArgumentException if another family has one of its resource names
     */
    public VendorCatalog with(HamiVendor vendor) {
        Objects.requireNonNull(vendor, "vendor");
        List<HamiVendor> changed = new ArrayList<>();
        vendors.forEach(one -> changed.add(one.word().equals(vendor.word()) ? vendor : one));
        if (!changed.contains(vendor)) {
            changed.add(vendor);
        }
        return of(changed);
    }

    /** Returns a chip of Iluvatar's, which HAMi calls by this word, under these names. */
    public static HamiVendor iluvatar(String word, VendorResources names) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        return HamiVendors.iluvatar(word).withResources(names);
    }

    /** Returns a chip of Huawei's, which HAMi calls by this word, such as {@code Ascend910B3}, under these names. */
    public static HamiVendor ascend(String word, VendorResources names, ChipTemplates form) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(form, "form");
        return AscendChips.chip(word, form).withResources(names);
    }

    /** Returns the families, in their order. */
    public List<HamiVendor> vendors() {
        return vendors;
    }

    /** Returns the family with this word, or nothing. */
    public Optional<HamiVendor> find(String word) {
        Objects.requireNonNull(word, "word");
        return vendors.stream().filter(one -> one.word().equals(word)).findFirst();
    }

    /** Returns the names of all resources that mean devices. */
    public List<String> resources() {
        List<String> names = new ArrayList<>();
        for (HamiVendor vendor : vendors) {
            names.addAll(vendor.resources().names());
            names.addAll(vendor.registration().resources());
        }
        return names.stream().distinct().toList();
    }

    /**
     * Returns what a container asks of one of the families, or nothing.
     *
     * @throws IllegalArgumentException if an amount is illegal, or it asks for devices of two families; the message names the
     *     resource, the value and the legal range
     */
    public Optional<VendorRequest> asked(PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        Optional<VendorRequest> found = Optional.empty();
        for (HamiVendor vendor : vendors) {
            Optional<VendorRequest> request = vendor.form()
                    .read(vendor.word(), vendor.resources(), pod, container)
                    .map(amounts -> new VendorRequest(vendor, amounts));
            request.ifPresent(one -> vendor.sets()
                    .check(vendor.resources().count(), one.amounts().count()));
            if (request.isPresent() && found.isPresent()) {
                throw new IllegalArgumentException(twoKinds(
                        found.get().vendor().resources().count(),
                        vendor.resources().count()));
            }
            found = request.isPresent() ? request : found;
        }
        return found;
    }

    /** Returns the rule that a container breaks which asks under both of these names. */
    public static String twoKinds(String one, String other) {
        Objects.requireNonNull(one, "one");
        Objects.requireNonNull(other, "other");
        return "a container can request devices of one kind, got " + one + " and " + other;
    }

    /**
     * Adds a node's devices to it as GPUs, family by family, with what is known of their connections.
     *
     * @param node the node so far
     * @param gpus the GPUs that it has already
     * @param manifest what the node tells
     * @param json reads JSON as maps, lists, texts, numbers and booleans
     * @param cordoned ids of devices that take nothing new
     * @throws IllegalArgumentException if what the node tells cannot be read
     */
    public void addTo(
            Node.Builder node, int gpus, NodeManifest manifest, Function<String, Object> json, Set<String> cordoned) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(json, "json");
        Objects.requireNonNull(cordoned, "cordoned");
        VendorNodes built = new VendorNodes(gpus);
        vendors.forEach(vendor -> built.add(vendor, manifest, json));
        built.addTo(node, cordoned);
    }

    /**
     * Returns the annotations that HAMi writes for a placed pod.
     *
     * @param requests what each container asks, in the order of the placement's containers
     */
    public Map<String, String> annotations(List<Optional<VgpuRequest>> requests, Node node, Placement placement) {
        Objects.requireNonNull(requests, "requests");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        Map<String, String> annotations = new TreeMap<>();
        vendors.forEach(vendor -> annotations.putAll(VendorGrants.write(vendor, requests, node, placement)));
        return annotations;
    }

    /**
     * Returns the GPUs that a running pod's annotations name for a container, ascending.
     *
     * @throws IllegalArgumentException if an annotation cannot be read, or names a device that the node does not have
     */
    public List<Integer> held(PodManifest pod, int container, Node node) {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(node, "node");
        return vendors.stream()
                .flatMap(vendor -> VendorGrants.held(vendor, pod, container, node).stream())
                .sorted()
                .toList();
    }
}
