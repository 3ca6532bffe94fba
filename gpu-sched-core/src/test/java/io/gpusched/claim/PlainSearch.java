package io.gpusched.claim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Every way to serve claims, in the order in which Kubernetes tries them: claim by claim, request by request, alternative by alternative,
 * device by device. The rules are those of KEP-4381, 4815, 4816, 5018, 5055 and 5075 once more, each checked again for all devices given
 * so far; nothing is remembered.
 */
final class PlainSearch {
    private static final BigInteger WHOLE = BigInteger.TEN.pow(9);
    private static final BigInteger MILLI = BigInteger.TEN.pow(6);

    /** A request for all devices meets a constraint that one of them breaks: Kubernetes gives up. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Broken(String message) {
            super(message);
        }
    }

    /** A device where it is published. */
    record Place(ResourceSlice slice, Device device) {
        DeviceId id() {
            return slice.idOf(device);
        }
    }

    /** A device for a form of a request. */
    record Pick(int claim, int request, int form, Place place) {
        @Override
        public String toString() {
            return claim + "." + request + "." + form + "=" + place.id();
        }
    }

    private final List<ResourceSlice> slices;
    private final Map<String, DeviceClass> classes = new HashMap<>();
    private final DevicesInUse inUse;
    private final List<Claim> claims;
    /** By claim the nodes that must reach its devices; the first one's pools are searched. */
    private final List<List<ClaimNode>> nodes;

    /** By claim, the call in which Kubernetes would allocate it. */
    private final List<Integer> calls;

    private final boolean givesUp;
    private final List<Pick> picks = new ArrayList<>();

    /**
     * Prepares a search.
     *
     * @param givesUp whether a constraint that a request for all devices breaks ends the search, as in Kubernetes
     */
    PlainSearch(
            List<List<ClaimNode>> nodes,
            List<ResourceSlice> slices,
            List<DeviceClass> classes,
            DevicesInUse inUse,
            List<Claim> claims,
            List<Integer> calls,
            boolean givesUp) {
        this.nodes = nodes;
        this.slices = slices;
        classes.forEach(one -> this.classes.put(one.name(), one));
        this.inUse = inUse;
        this.claims = claims;
        this.calls = calls;
        this.givesUp = givesUp;
    }

    /** Shows each way to serve all claims until one is accepted; returns whether one was. */
    boolean find(Predicate<List<Pick>> accepted) {
        return claim(0, accepted);
    }

    private boolean claim(int c, Predicate<List<Pick>> accepted) {
        return c == claims.size() ? accepted.test(List.copyOf(picks)) : request(c, 0, accepted);
    }

    private boolean request(int c, int r, Predicate<List<Pick>> accepted) {
        if (r == claims.get(c).requests().size()) {
            return claim(c + 1, accepted);
        }
        List<DeviceRequest> forms = claims.get(c).requests().get(r).alternatives();
        for (int f = 0; f < forms.size(); f++) {
            List<Place> order = order(nodes.get(c).get(0));
            boolean found = forms.get(f).mode() == DeviceRequest.Mode.ALL
                    ? all(c, r, f, order, accepted)
                    : counted(c, r, f, order, 0, forms.get(f).count(), accepted);
            if (found) {
                return true;
            }
        }
        return false;
    }

    private boolean all(int c, int r, int f, List<Place> order, Predicate<List<Pick>> accepted) {
        DeviceRequest form = claims.get(c).requests().get(r).alternatives().get(f);
        List<Place> every = order.stream()
                .filter(place -> accepts(form, place, nodes.get(c).get(0)) && isLegal(form, place))
                .toList();
        int had = picks.size();
        boolean possible = !every.isEmpty();
        for (int i = 0; i < every.size() && possible; i++) {
            Pick pick = new Pick(c, r, f, every.get(i));
            possible = isFree(pick) && hasCounters(pick) && isTolerated(pick) && isReached(pick);
            if (possible && !keepsConstraints(pick)) {
                if (givesUp) {
                    throw new Broken(pick.toString());
                }
                possible = false;
            }
            possible = possible && hasCapacity(pick);
            picks.add(pick);
        }
        boolean found = possible && request(c, r + 1, accepted);
        picks.subList(had, picks.size()).clear();
        return found;
    }

    private boolean counted(
            int c, int r, int f, List<Place> order, int from, long open, Predicate<List<Pick>> accepted) {
        if (open == 0) {
            return request(c, r + 1, accepted);
        }
        for (int at = from; at < order.size(); at++) {
            Pick pick = new Pick(c, r, f, order.get(at));
            if (fits(pick)) {
                picks.add(pick);
                boolean found = counted(c, r, f, order, at + 1, open - 1, accepted);
                picks.remove(picks.size() - 1);
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    private DeviceRequest form(Pick pick) {
        return claims.get(pick.claim())
                .requests()
                .get(pick.request())
                .alternatives()
                .get(pick.form());
    }

    /** Returns the name under which a device is listed in an answer. */
    String name(Pick pick) {
        Claim.Request request = claims.get(pick.claim()).requests().get(pick.request());
        return request.isPrioritized() ? request.name() + "/" + form(pick).name() : request.name();
    }

    private boolean fits(Pick pick) {
        return isFree(pick)
                && accepts(form(pick), pick.place(), nodes.get(pick.claim()).get(0))
                && isReached(pick)
                && isLegal(form(pick), pick.place())
                && hasCounters(pick)
                && isTolerated(pick)
                && keepsConstraints(pick)
                && hasCapacity(pick);
    }

    private boolean isReached(Pick pick) {
        return nodes.get(pick.claim()).stream().allMatch(node -> reaches(pick.place(), node));
    }

    private static boolean reaches(Place place, ClaimNode node) {
        NodeScope scope = place.slice().scope();
        return scope instanceof NodeScope.PerDevice
                ? place.device().scope().map(own -> own.reaches(node.node())).orElse(false)
                : scope.reaches(node.node());
    }

    // ---- the order in which devices are tried ----

    /** Returns whether a request for all devices cannot be answered: a pool that the first node reaches lacks slices. */
    boolean lacksSlices() {
        for (int c = 0; c < claims.size(); c++) {
            lacksSlices = false;
            order(nodes.get(c).get(0));
            boolean wantsAll = claims.get(c).requests().stream()
                    .flatMap(request -> request.alternatives().stream())
                    .anyMatch(form -> form.mode() == DeviceRequest.Mode.ALL);
            if (lacksSlices && wantsAll) {
                return true;
            }
        }
        return false;
    }

    private boolean lacksSlices;

    private List<Place> order(ClaimNode node) {
        Map<String, List<ResourceSlice>> pools = new TreeMap<>();
        for (ResourceSlice slice : slices) {
            boolean reached = slice.scope() instanceof NodeScope.PerDevice
                    ? slice.devices().stream().anyMatch(device -> reaches(new Place(slice, device), node))
                    : slice.scope().reaches(node.node());
            if (reached) {
                pools.computeIfAbsent(slice.driver() + " " + slice.pool(), key -> new ArrayList<>())
                        .add(slice);
            }
        }
        List<Place> order = new ArrayList<>();
        for (List<ResourceSlice> seen : pools.values()) {
            List<ResourceSlice> newest = newest(seen);
            List<ResourceSlice> everywhere = newest(slices.stream()
                    .filter(slice -> pool(slice).equals(pool(newest.get(0))))
                    .toList());
            long wanted = newest.get(0).poolSliceCount();
            boolean complete = newest.size() == wanted
                    || everywhere.size() == wanted
                            && everywhere.get(0).generation() == newest.get(0).generation();
            lacksSlices |= !complete;
            if (complete) {
                newest.stream()
                        .sorted(Comparator.comparing(ResourceSlice::name))
                        .forEach(slice -> slice.devices().forEach(device -> order.add(new Place(slice, device))));
            }
        }
        return order;
    }

    private static List<ResourceSlice> newest(List<ResourceSlice> some) {
        long newest = some.stream().mapToLong(ResourceSlice::generation).max().orElse(0);
        return some.stream().filter(slice -> slice.generation() == newest).toList();
    }

    private static String pool(ResourceSlice slice) {
        return slice.driver() + "/" + slice.pool();
    }

    // ---- the rules ----

    private boolean accepts(DeviceRequest form, Place place, ClaimNode node) {
        List<DeviceSelector> selectors =
                new ArrayList<>(classes.get(form.className()).selectors());
        selectors.addAll(form.selectors());
        for (DeviceSelector selector : selectors) {
            try {
                if (!selector.predicate().accepts(place.slice(), place.device())) {
                    return false;
                }
            } catch (DeviceSelector.SelectorException e) {
                throw new AssertionError(e);
            }
        }
        return reaches(place, node);
    }

    /**
     * One device is one claim's, or many claims' if it is shareable. Access as an administrator is given to any device that its own claim
     * has not; after it the device is given to no claim of the same call.
     */
    private boolean isFree(Pick pick) {
        DeviceId id = pick.place().id();
        boolean shareable = pick.place().device().isShareable();
        boolean admin = form(pick).adminAccess();
        boolean live = inUse.shared().contains(id) || inUse.consumed().containsKey(id);
        if (!admin && (inUse.exclusive().contains(id) || live && !shareable)) {
            return false;
        }
        return shareable
                || picks.stream()
                        .filter(one -> one.place().id().equals(id))
                        .noneMatch(one -> admin
                                ? one.claim() == pick.claim()
                                : !form(one).adminAccess()
                                        || calls.get(one.claim()).equals(calls.get(pick.claim())));
    }

    private boolean isTolerated(Pick pick) {
        for (DeviceTaint taint : pick.place().device().taints()) {
            boolean tolerated = false;
            for (DeviceToleration one : form(pick).tolerations()) {
                tolerated |= (one.effect().isEmpty() || one.effect().get() == taint.effect())
                        && (one.key().isEmpty() || one.key().equals(taint.key()))
                        && (one.isAnyValue() || one.value().equals(taint.value()));
            }
            if (taint.effect() != DeviceTaint.Effect.NONE && !tolerated) {
                return false;
            }
        }
        return true;
    }

    /** After a device that draws on counters is given, no counter of its pool is below zero. */
    private boolean hasCounters(Pick pick) {
        Device device = pick.place().device();
        DeviceId id = pick.place().id();
        boolean paid = device.isShareable()
                && (inUse.shared().contains(id)
                        || inUse.consumed().containsKey(id)
                        || picks.stream().anyMatch(one -> one.place().id().equals(id)));
        if (device.consumes().isEmpty() || paid) {
            return true;
        }
        Map<String, DeviceAmount> left = new HashMap<>();
        List<Device> using = new ArrayList<>();
        for (ResourceSlice slice : newest(slices.stream()
                .filter(one -> pool(one).equals(pool(pick.place().slice())))
                .toList())) {
            slice.counterSets()
                    .forEach(set ->
                            set.counters().forEach((name, amount) -> left.put(set.name() + " " + name, amount)));
            slice.devices().stream().filter(one -> inUse.uses(slice.idOf(one))).forEach(using::add);
        }
        Set<DeviceId> shared = new HashSet<>(inUse.shared());
        shared.addAll(inUse.consumed().keySet());
        List<Pick> all = new ArrayList<>(picks);
        all.add(pick);
        for (Pick one : all) {
            boolean again = one.place().device().isShareable()
                    && !shared.add(one.place().id());
            if (!again && pool(one.place().slice()).equals(pool(pick.place().slice()))) {
                using.add(one.place().device());
            }
        }
        using.forEach(one -> one.consumes()
                .forEach(use -> use.counters()
                        .forEach((name, amount) -> left.computeIfPresent(
                                use.counterSet() + " " + name, (key, rest) -> rest.minus(amount)))));
        return left.values().stream().noneMatch(DeviceAmount::isNegative);
    }

    private boolean keepsConstraints(Pick pick) {
        List<Pick> all = new ArrayList<>(picks);
        all.add(pick);
        for (Claim.Constraint constraint : claims.get(pick.claim()).constraints()) {
            List<List<Object>> values = new ArrayList<>();
            for (Pick one : all) {
                boolean about = constraint.requests().isEmpty()
                        || constraint.requests().contains(name(one).split("/")[0])
                        || constraint.requests().contains(name(one));
                if (one.claim() == pick.claim() && about) {
                    Place place = one.place();
                    Map<String, AttributeValue> attributes = place.device().attributes();
                    String domain = constraint.attribute().split("/")[0];
                    AttributeValue value = attributes.get(constraint.attribute());
                    if (value == null && domain.equals(place.slice().driver())) {
                        value = attributes.get(constraint.attribute().split("/")[1]);
                    }
                    if (value == null) {
                        return false;
                    }
                    values.add(List.of(value.type(), value.elements()));
                }
            }
            int different = new HashSet<>(values).size();
            boolean match = constraint.kind() == Claim.Constraint.Kind.MATCH;
            if (match ? different > 1 : different < values.size()) {
                return false;
            }
        }
        return true;
    }

    // ---- capacities ----

    private static String full(String name, ResourceSlice slice) {
        return name.contains("/") ? name : slice.driver() + "/" + name;
    }

    private static Map<String, DeviceAmount> asked(DeviceRequest form, Place place) {
        Map<String, DeviceAmount> asked = new HashMap<>();
        form.capacity().forEach((name, amount) -> asked.put(full(name, place.slice()), amount));
        return asked;
    }

    /** Returns whether a device has what is asked of it, in amounts that its policies know, if nothing of it is in use. */
    private static boolean isLegal(DeviceRequest form, Place place) {
        Set<String> published = new HashSet<>();
        boolean legal = true;
        for (Map.Entry<String, DeviceCapacity> one : place.device().capacity().entrySet()) {
            String name = full(one.getKey(), place.slice());
            published.add(name);
            Optional<DeviceAmount> amount =
                    Optional.ofNullable(asked(form, place).get(name));
            DeviceAmount taken = taken(one.getValue(), amount);
            legal &= taken.compareTo(one.getValue().value()) <= 0 && isAllowed(one.getValue(), taken);
        }
        return legal && published.containsAll(asked(form, place).keySet());
    }

    private static DeviceAmount taken(DeviceCapacity capacity, Optional<DeviceAmount> asked) {
        if (capacity.policy().isEmpty()) {
            return asked.orElse(capacity.value());
        }
        DeviceCapacity.RequestPolicy policy = capacity.policy().get();
        if (asked.isEmpty()) {
            return policy.standard().orElse(capacity.value());
        }
        DeviceAmount amount = asked.get();
        if (policy.range().isPresent()) {
            DeviceCapacity.ValidRange range = policy.range().get();
            DeviceAmount rounded = amount.compareTo(range.min()) < 0 ? range.min() : amount;
            if (range.step().isPresent() && rounded.equals(amount)) {
                BigInteger unit = unit(range);
                rounded = DeviceAmount.ZERO.plus(range.min());
                while (up(rounded, unit).compareTo(up(amount, unit)) < 0) {
                    rounded = rounded.plus(range.step().get());
                }
            }
            return rounded;
        }
        return policy.validValues().stream()
                .filter(value -> value.compareTo(amount) >= 0)
                .findFirst()
                .orElse(amount);
    }

    private static boolean isAllowed(DeviceCapacity capacity, DeviceAmount amount) {
        if (capacity.policy().isEmpty()
                || capacity.policy().get().standard().filter(amount::equals).isPresent()) {
            return true;
        }
        DeviceCapacity.RequestPolicy policy = capacity.policy().get();
        if (policy.range().isPresent()) {
            DeviceCapacity.ValidRange range = policy.range().get();
            boolean within = range.max().map(max -> amount.compareTo(max) <= 0).orElse(true);
            return within
                    && range.step()
                            .map(step -> up(amount, unit(range))
                                            .subtract(up(range.min(), unit(range)))
                                            .mod(up(step, unit(range)))
                                            .signum()
                                    == 0)
                            .orElse(true);
        }
        return policy.validValues().isEmpty() || policy.validValues().contains(amount);
    }

    private static BigInteger unit(DeviceCapacity.ValidRange range) {
        List<DeviceAmount> all = new ArrayList<>(List.of(range.min()));
        range.max().ifPresent(all::add);
        range.step().ifPresent(all::add);
        return all.stream().allMatch(one -> one.billionths().mod(MILLI).signum() == 0) ? MILLI : WHOLE;
    }

    private static BigInteger up(DeviceAmount amount, BigInteger unit) {
        return amount.billionths().add(unit).subtract(BigInteger.ONE).divide(unit);
    }

    /** Returns what a pick takes of each capacity, by full name. */
    Map<String, DeviceAmount> consumed(Pick pick) {
        Map<String, DeviceAmount> consumed = new LinkedHashMap<>();
        pick.place()
                .device()
                .capacity()
                .forEach((name, capacity) -> consumed.put(
                        full(name, pick.place().slice()),
                        taken(
                                capacity,
                                Optional.ofNullable(asked(form(pick), pick.place())
                                        .get(full(name, pick.place().slice()))))));
        return consumed;
    }

    private boolean hasCapacity(Pick pick) {
        Place place = pick.place();
        Map<String, DeviceAmount> sums = new HashMap<>();
        inUse.consumed()
                .getOrDefault(place.id(), Map.of())
                .forEach((name, amount) -> sums.merge(full(name, place.slice()), amount, DeviceAmount::plus));
        List<Pick> all = new ArrayList<>(place.device().isShareable() ? picks : List.of());
        all.add(pick);
        all.stream()
                .filter(one -> one.place().id().equals(place.id()))
                .forEach(one -> consumed(one).forEach((name, amount) -> sums.merge(name, amount, DeviceAmount::plus)));
        return place.device().capacity().entrySet().stream()
                .allMatch(one -> sums.getOrDefault(full(one.getKey(), place.slice()), DeviceAmount.ZERO)
                                .compareTo(one.getValue().value())
                        <= 0);
    }
}
