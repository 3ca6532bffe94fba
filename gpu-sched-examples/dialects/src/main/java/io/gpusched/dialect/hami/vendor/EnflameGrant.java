package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.hami.registration.RegisteredProfiles;
import io.gpusched.dialect.internal.JsonText;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What Enflame's device plugin reads of a pod that holds partitions. */
final class EnflameGrant {
    private EnflameGrant() {}

    static Map<String, String> annotations(VendorGrant grant) {
        Map<String, VendorGrant.Held> byName = new TreeMap<>();
        for (VendorGrant.Container container : grant.containers()) {
            container.held().stream().findFirst().ifPresent(held -> byName.put(container.name(), held));
        }
        String containers = byName.entrySet().stream()
                .map(one -> JsonText.quoted(one.getKey()) + ":" + container(one.getValue(), grant.labels()))
                .collect(Collectors.joining(",", "{", "}"));
        VendorGrant.Held first = grant.held().get(0);
        return Map.of(
                "enflame.com/gcu-assigned",
                "false",
                "assigned-containers",
                containers,
                "enflame.com/gcu-assigned-index",
                index(first),
                "enflame.com/gcu-assigned-id",
                index(first),
                "enflame.com/gcu-assigned-minor",
                RegisteredProfiles.minor(grant.labels(), index(first)),
                "enflame.com/gcu-request-size",
                String.valueOf(slices(first)));
    }

    private static String container(VendorGrant.Held held, Map<String, String> labels) {
        return JsonText.object(
                "allocated", false,
                "request", slices(held),
                "profileID", RegisteredProfiles.profileId(labels, held.profile()),
                "profileName", held.profile());
    }

    /** The number that the node registers ends the device's id. */
    private static String index(VendorGrant.Held held) {
        String id = held.share().gpu();
        return id.substring(id.lastIndexOf('-') + 1);
    }

    private static int slices(VendorGrant.Held held) {
        return Integer.parseInt(held.profile().substring(0, held.profile().indexOf('g')));
    }
}
