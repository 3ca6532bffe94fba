package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The devices of a claim.
 *
 * @param claim the claim's name
 * @param grants its devices, request after request
 */
public record ClaimAllocation(String claim, List<Grant> grants) {
    /**
     * A device for a request.
     *
     * @param request the request's name, with the chosen alternative's after a slash
     * @param device the device
     * @param adminAccess whether it was given by admin access, although a claim may use it
     * @param isShare whether a part of a shareable device was given
     * @param consumed how much of each capacity the share takes
     */
    public record Grant(
            String request, DeviceId device, boolean adminAccess, boolean isShare, Map<String, DeviceAmount> consumed) {
        /** Copies the map. */
        public Grant {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(device, "device");
            consumed = Checks.ascending("consumed", consumed);
        }

        @Override
        public String toString() {
            return request + "=" + device;
        }
    }

    /** Copies the list. */
    public ClaimAllocation {
        Checks.notBlank("claim allocation", "claim", claim);
        grants = Checks.list("grants", grants);
    }
}
