package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;

/**
 * The annotations of a pod that concern devices of a vendor.
 *
 * @param toAllocate where HAMi writes the grant for the device plugin, or nothing if it does not
 * @param allocated where HAMi writes the grant for itself, not blank
 * @param useUuids which name devices by UUID that the pod accepts, separated by commas; each of them binds
 * @param nouseUuids which name devices that it refuses
 * @param useTypes which names parts of models that it accepts, or nothing
 * @param nouseTypes which names parts of models that it refuses, or nothing
 */
public record VendorAnnotations(
        String toAllocate,
        String allocated,
        List<String> useUuids,
        List<String> nouseUuids,
        String useTypes,
        String nouseTypes) {
    /** Copies the lists. */
    public VendorAnnotations {
        Objects.requireNonNull(toAllocate, "toAllocate");
        Objects.requireNonNull(allocated, "allocated");
        Objects.requireNonNull(useTypes, "useTypes");
        Objects.requireNonNull(nouseTypes, "nouseTypes");
        useUuids = Checks.list("useUuids", useUuids);
        nouseUuids = Checks.list("nouseUuids", nouseUuids);
        if (allocated.isBlank()) {
            throw new IllegalArgumentException("vendor annotations: allocated must not be blank");
        }
    }

    /** Returns annotations {@code hami.io/<stem>-devices-to-allocate} and {@code -allocated}, without selectors. */
    public static VendorAnnotations granted(String stem) {
        Objects.requireNonNull(stem, "stem");
        String devices = "hami.io/" + stem + "-devices-";
        return new VendorAnnotations(devices + "to-allocate", devices + "allocated", List.of(), List.of(), "", "");
    }

    /** Returns these annotations without one for the device plugin. */
    public VendorAnnotations withoutPlugin() {
        return new VendorAnnotations("", allocated, useUuids, nouseUuids, useTypes, nouseTypes);
    }

    /** Returns these annotations with one more pair that names devices by UUID. */
    public VendorAnnotations withUuids(String use, String nouse) {
        Objects.requireNonNull(use, "use");
        Objects.requireNonNull(nouse, "nouse");
        return new VendorAnnotations(
                toAllocate, allocated, plus(useUuids, use), plus(nouseUuids, nouse), useTypes, nouseTypes);
    }

    private static List<String> plus(List<String> list, String one) {
        List<String> all = new java.util.ArrayList<>(list);
        all.add(one);
        return all;
    }

    /** Returns these annotations with a pair that names parts of models. */
    public VendorAnnotations withTypes(String use, String nouse) {
        Objects.requireNonNull(use, "use");
        Objects.requireNonNull(nouse, "nouse");
        return new VendorAnnotations(toAllocate, allocated, useUuids, nouseUuids, use, nouse);
    }
}
