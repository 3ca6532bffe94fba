package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Kind;
import io.gpusched.claim.ClaimError.Raised;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests of some claims as one node sees them: by claim and request, the acceptable forms. What is wrong with a claim
 * whatever is free is found here, in the order in which Kubernetes finds it.
 */
record Forms(List<Claim> claims, List<List<List<Form>>> byClaim) {
    /** What forms are made with. */
    record Maker(Map<String, DeviceClass> classes, Units units, Set<ClaimFeature> features) {
        /**
         * Returns the forms of claims.
         *
         * @throws Raised if a claim cannot be allocated as it stands
         */
        Forms of(List<Claim> claims, Units.View view) {
            List<List<List<Form>>> all = new ArrayList<>();
            for (int c = 0; c < claims.size(); c++) {
                all.add(claim(claims, c, view));
            }
            return new Forms(claims, all);
        }

        /** As {@link #of}, of one claim. */
        List<List<Form>> claim(List<Claim> claims, int c, Units.View view) {
            Claim claim = claims.get(c);
            List<List<Form>> requests = new ArrayList<>();
            long least = 0;
            for (int r = 0; r < claim.requests().size(); r++) {
                Claim.Request request = claim.requests().get(r);
                String where = "claim " + claim.name() + ", request " + request.name();
                need(
                        !request.isPrioritized() || has(ClaimFeature.PRIORITIZED_LIST),
                        where,
                        ClaimFeature.PRIORITIZED_LIST);
                for (DeviceRequest form : request.alternatives()) {
                    boolean asksParts = !form.capacity().isEmpty();
                    need(!asksParts || has(ClaimFeature.CONSUMABLE_CAPACITY), where, ClaimFeature.CONSUMABLE_CAPACITY);
                }
                List<Form> forms = new ArrayList<>();
                long fewest = Long.MAX_VALUE;
                for (int a = 0; a < request.alternatives().size(); a++) {
                    Form form = form(claims, c, r, a, view);
                    forms.add(form);
                    fewest = Math.min(fewest, form.need);
                }
                if (fewest > Claim.MAX_DEVICES - least) {
                    throw new Raised(
                            Kind.TOO_MANY_DEVICES,
                            where + ": a claim may have " + Claim.MAX_DEVICES + " devices, got " + fewest
                                    + (least > 0 ? " besides " + least + " of earlier requests" : ""));
                }
                least += fewest;
                requests.add(forms);
            }
            for (Claim.Constraint constraint : claim.constraints()) {
                if (constraint.kind() == Claim.Constraint.Kind.UNKNOWN) {
                    throw new Raised(
                            Kind.CONSTRAINT_UNKNOWN,
                            "claim " + claim.name() + ": a constraint is neither a match nor a distinct attribute");
                }
            }
            return requests;
        }

        private boolean has(ClaimFeature feature) {
            return features.contains(feature);
        }

        private static void need(boolean met, String where, ClaimFeature feature) {
            if (!met) {
                throw new Raised(Kind.FEATURE_DISABLED, where + ": needs the feature " + feature + ", which is off");
            }
        }

        private Form form(List<Claim> claims, int c, int r, int a, Units.View view) {
            Claim claim = claims.get(c);
            DeviceRequest spec = claim.requests().get(r).alternatives().get(a);
            String where = "claim " + claim.name() + ", request " + spec.name();
            boolean derives = !spec.derivedAttributes().isEmpty();
            need(!derives || has(ClaimFeature.DERIVED_ATTRIBUTES), where, ClaimFeature.DERIVED_ATTRIBUTES);
            if (spec.selectors().stream().anyMatch(one -> one.kind() == DeviceSelector.Kind.UNKNOWN)) {
                throw new Raised(Kind.SELECTOR_UNKNOWN, where + ": a selector is of an unknown language");
            }
            need(!spec.adminAccess() || has(ClaimFeature.ADMIN_ACCESS), where, ClaimFeature.ADMIN_ACCESS);
            if (spec.className().isEmpty()) {
                throw new Raised(Kind.CLASS_MISSING, where + ": names no device class");
            }
            DeviceClass deviceClass = classes.get(spec.className());
            if (deviceClass == null) {
                throw new Raised(
                        Kind.CLASS_NOT_FOUND, where + ": there is no device class \"" + spec.className() + "\"");
            }
            Form form = new Form(c, r, a, claim, deviceClass, units, view, features);
            switch (spec.mode()) {
                case EXACT_COUNT -> {}
                case ALL -> findAll(form);
                case UNKNOWN -> throw new Raised(Kind.MODE_UNKNOWN, where + ": the mode is unknown");
            }
            return form;
        }

        private void findAll(Form form) {
            List<Integer> found = new ArrayList<>();
            int next = 0;
            for (Pool pool : form.view.pools) {
                String said = form.where() + ": asks for all devices, but pool " + pool;
                if (pool.state() == Pool.State.INCOMPLETE) {
                    throw new Raised(Kind.ALL_FROM_INCOMPLETE_POOL, said + " is being updated");
                }
                if (pool.state() == Pool.State.INVALID) {
                    throw new Raised(Kind.ALL_FROM_INVALID_POOL, said + " contradicts itself");
                }
                int devices = pool.slices().stream()
                        .mapToInt(slice -> slice.devices().size())
                        .sum();
                for (int end = next + devices; next < end; next++) {
                    Unit unit = units.all.get(form.view.order[next]);
                    if (form.accepts(unit)
                            && (!has(ClaimFeature.CONSUMABLE_CAPACITY)
                                    || form.capacity(unit).fitsEmpty(unit))) {
                        found.add(unit.index);
                    }
                }
            }
            form.everyDevice = found.stream().mapToInt(Integer::intValue).toArray();
            form.need = found.size();
        }
    }
}
