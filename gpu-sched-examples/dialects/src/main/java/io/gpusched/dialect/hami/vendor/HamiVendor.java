package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.registration.VendorRegistration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A family of devices beside NVIDIA's in HAMi's vocabulary. Immutable and thread-safe.
 *
 * @param word what HAMi calls the family in grants, such as {@code DCU} or {@code Ascend910B3}; not blank
 * @param resources the names that containers ask under
 * @param form what amounts mean
 * @param registration how a node tells of its devices
 * @param sets which devices of a node one container may get together
 * @param annotations the annotations of pods
 * @param grants what is written beside the grant itself
 */
public record HamiVendor(
        String word,
        VendorResources resources,
        VendorForm form,
        VendorRegistration registration,
        DeviceSets sets,
        VendorAnnotations annotations,
        GrantForm grants) {
    /** Checks that nothing is missing. */
    public HamiVendor {
        Checks.notBlank("hami vendor", "word", Objects.requireNonNull(word, "word"));
        Objects.requireNonNull(resources, "resources");
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(registration, "registration");
        Objects.requireNonNull(sets, "sets");
        Objects.requireNonNull(annotations, "annotations");
        Objects.requireNonNull(grants, "grants");
    }

    /** Returns the {@linkplain io.gpusched.model.GpuModel#vendor() vendor} of its devices: the word in lower case. */
    public String vendor() {
        return word.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns this family as a pod shares its devices.
     *
     * @throws IllegalArgumentException if an annotation of the pod has an illegal value
     */
    public HamiVendor of(PodManifest pod) {
        VendorForm own = form.of(Objects.requireNonNull(pod, "pod"));
        return own.equals(form) ? this : withForm(own);
    }

    /** Returns this family for pods that run, whose devices go together as they are. */
    public HamiVendor held() {
        return withForm(form.held()).withSets(DeviceSets.ANY);
    }

    /** Returns this family under other resource names; nodes use them too, where they tell of devices by resources. */
    public HamiVendor withResources(VendorResources value) {
        Objects.requireNonNull(value, "value");
        Map<String, String> names = new HashMap<>();
        names.put(resources.count(), value.count());
        names.put(resources.memory(), value.memory());
        names.put(resources.cores(), value.cores());
        names.remove("");
        return new HamiVendor(word, value, form, registration.renamed(names), sets, annotations, grants);
    }

    /** Returns this family with amounts that mean something else. */
    public HamiVendor withForm(VendorForm value) {
        Objects.requireNonNull(value, "value");
        return new HamiVendor(word, resources, value, registration, sets, annotations, grants);
    }

    /** Returns this family, with other devices that go together. */
    public HamiVendor withSets(DeviceSets value) {
        Objects.requireNonNull(value, "value");
        return new HamiVendor(word, resources, form, registration, value, annotations, grants);
    }
}
