package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Kind;
import io.gpusched.claim.ClaimError.Raised;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One acceptable form of a request of a claim, seen from one node: which devices it accepts, each asked once. */
final class Form {
    private static final byte NO = 1;
    private static final byte YES = 2;

    final int claim;
    final int request;
    final int alternative;
    final Claim owner;
    final Claim.Request parent;
    final DeviceRequest spec;
    final DeviceClass deviceClass;
    final Units units;
    final Units.View view;
    final Set<ClaimFeature> features;
    /** Numbers of the claim's constraints that are about this form. */
    final int[] constraints;

    /** How many devices it needs. */
    long need;

    /** The devices of a request for all; null for a count. */
    int @Nullable [] everyDevice;

    private final byte[] accepted;
    private final CapacityNeed[] capacity;

    Form(
            int claim,
            int request,
            int alternative,
            Claim owner,
            DeviceClass deviceClass,
            Units units,
            Units.View view,
            Set<ClaimFeature> features) {
        this.claim = claim;
        this.request = request;
        this.alternative = alternative;
        this.owner = owner;
        parent = owner.requests().get(request);
        spec = parent.alternatives().get(alternative);
        this.deviceClass = deviceClass;
        this.units = units;
        this.view = view;
        this.features = features;
        need = spec.count();
        String chosen = parent.isPrioritized() ? spec.name() : "";
        constraints = IntStream.range(0, owner.constraints().size())
                .filter(i -> owner.constraints().get(i).concerns(parent.name(), chosen))
                .toArray();
        accepted = new byte[units.all.size()];
        capacity = new CapacityNeed[units.all.size()];
    }

    /** Returns the name under which its devices are listed. */
    String name() {
        return parent.isPrioritized() ? parent.name() + "/" + spec.name() : parent.name();
    }

    /** Returns the words that errors begin with. */
    String where() {
        return "claim " + owner.name() + ", request " + spec.name();
    }

    /**
     * Returns whether its class, its selectors and the device's scope accept a device.
     *
     * @throws Raised if a selector cannot be asked
     */
    boolean accepts(Unit unit) {
        if (accepted[unit.index] == 0) {
            accepted[unit.index] = asks(unit) ? YES : NO;
        }
        return accepted[unit.index] == YES;
    }

    /** Returns how many devices of its node it accepts. */
    int countAccepted() {
        int count = 0;
        for (int d : view.order) {
            count += accepts(units.all.get(d)) ? 1 : 0;
        }
        return count;
    }

    private boolean asks(Unit unit) {
        if (!features.contains(ClaimFeature.BINDING_CONDITIONS)
                && !unit.device.bindingConditions().isEmpty()) {
            return false;
        }
        for (DeviceSelector selector : deviceClass.selectors()) {
            if (!asks(selector, unit, "class " + deviceClass.name())) {
                return false;
            }
        }
        for (DeviceSelector selector : spec.selectors()) {
            if (!asks(selector, unit, where())) {
                return false;
            }
        }
        return !(unit.slice.scope() instanceof NodeScope.PerDevice) || Pool.reaches(unit.device, view.node);
    }

    private static boolean asks(DeviceSelector selector, Unit unit, String where) {
        if (selector.kind() == DeviceSelector.Kind.MALFORMED) {
            throw new Raised(Kind.SELECTOR_MALFORMED, where + ": the selector is no expression: " + selector.text());
        }
        try {
            return selector.predicate().accepts(unit.slice, unit.device);
        } catch (DeviceSelector.SelectorException e) {
            throw new Raised(
                    Kind.SELECTOR_FAILED,
                    where + ": the selector " + selector.text() + " cannot be evaluated on device " + unit + ": "
                            + e.getMessage());
        }
    }

    /**
     * Returns what it takes of a device's capacities.
     *
     * @throws Raised if that cannot be said
     */
    CapacityNeed capacity(Unit unit) {
        CapacityNeed known = capacity[unit.index];
        if (known == null) {
            boolean fractions = features.contains(ClaimFeature.FRACTIONAL_CAPACITY);
            known = CapacityNeed.of(spec, unit, fractions, where() + ": device " + unit);
            capacity[unit.index] = known;
        }
        return known;
    }

    /** Returns whether a taint keeps it from a device. */
    Optional<DeviceTaint> untolerated(Unit unit) {
        if (!features.contains(ClaimFeature.DEVICE_TAINTS)) {
            return Optional.empty();
        }
        return unit.device.taints().stream()
                .filter(taint -> taint.effect() != DeviceTaint.Effect.NONE)
                .filter(taint -> spec.tolerations().stream().noneMatch(one -> one.tolerates(taint)))
                .findFirst();
    }

    /** Returns whether operations on the node, or counters that are switched off, keep it from a device for good. */
    boolean isBarred(Unit unit) {
        boolean skips = unit.slice.skipsNodeOperations()
                && !(features.contains(ClaimFeature.OPTIONAL_NODE_OPERATIONS) && view.hasNodeOperations);
        boolean draws = unit.drawsOnCounters() && !features.contains(ClaimFeature.PARTITIONABLE_DEVICES);
        return skips || draws;
    }

    /** Returns the error of a request for all devices where a constraint forbids one. */
    Raised allBreaksConstraint(Unit unit) {
        return new Raised(
                Kind.ALL_BREAKS_CONSTRAINT,
                where() + ": asks for all devices, but a constraint of the claim keeps device " + unit + " away");
    }

    /** Returns the value that a constraint reads of a device; empty if it has no such attribute. */
    Optional<AttributeValue> value(String attribute, Unit unit) {
        DeviceRequest.DerivedAttribute derived = spec.derivedAttributes().get(attribute);
        if (derived != null) {
            try {
                return Optional.of(derived.of(unit.slice, unit.device));
            } catch (DeviceSelector.SelectorException e) {
                throw new Raised(
                        Kind.DERIVED_ATTRIBUTE,
                        where() + ": derived attribute " + attribute + " on device " + unit + ": " + e.getMessage());
            }
        }
        AttributeValue exact = unit.device.attributes().get(attribute);
        int slash = attribute.indexOf('/');
        if (exact == null && slash >= 0 && attribute.substring(0, slash).equals(unit.slice.driver())) {
            exact = unit.device.attributes().get(attribute.substring(slash + 1));
        }
        return Optional.ofNullable(exact);
    }

    @Override
    public String toString() {
        return owner.name() + "/" + name();
    }
}
