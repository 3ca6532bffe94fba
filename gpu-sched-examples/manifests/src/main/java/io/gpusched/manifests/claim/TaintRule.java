package io.gpusched.manifests.claim;

import io.gpusched.claim.DeviceTaint;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.Optional;

/**
 * A taint that an administrator puts on devices.
 *
 * @param taint the taint
 * @param selector driver, pool and device; each may be left out for any
 */
record TaintRule(DeviceTaint taint, YamlNode selector) {
    /** Reads a rule; one without a selector concerns no device. */
    static Optional<TaintRule> of(YamlNode object) {
        YamlNode spec = object.at("spec");
        return spec.at("deviceSelector")
                .optional()
                .map(selector -> new TaintRule(ClaimReader.taint(spec.need("taint")), selector));
    }

    boolean concerns(String driver, String pool, String device) {
        return is("driver", driver) && is("pool", pool) && is("device", device);
    }

    private boolean is(String field, String value) {
        return selector.at(field).textOr(value).equals(value);
    }
}
