package io.gpusched.claim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every way to serve claims on a node, device by device and without order: the rules once more, in their plainest form, for
 * exclusive devices, shares without policies, counters, one class, match and distinct constraints on single values.
 */
final class BruteForce {
    private record Pick(int claim, String request, Device device, Map<String, DeviceAmount> amounts) {}

    private final List<ResourceSlice> slices;
    private final DevicesInUse inUse;
    private final List<Claim> claims;
    private final List<Device> devices = new ArrayList<>();
    private final List<Pick> picks = new ArrayList<>();

    BruteForce(List<ResourceSlice> slices, DevicesInUse inUse, List<Claim> claims) {
        this.slices = slices;
        this.inUse = inUse;
        this.claims = claims;
        slices.forEach(slice -> devices.addAll(slice.devices()));
    }

    /** Returns the lexicographically least alternatives of all requests that can be had together; empty if there are none. */
    List<Integer> bestForms() {
        List<List<DeviceRequest>> requests = new ArrayList<>();
        claims.forEach(claim -> claim.requests().forEach(one -> requests.add(one.alternatives())));
        List<Integer> forms = new ArrayList<>();
        return best(requests, forms) ? forms : List.of();
    }

    private boolean best(List<List<DeviceRequest>> requests, List<Integer> forms) {
        if (forms.size() == requests.size()) {
            picks.clear();
            return serve(forms, 0, 0, 0);
        }
        for (int a = 0; a < requests.get(forms.size()).size(); a++) {
            forms.add(a);
            if (best(requests, forms)) {
                return true;
            }
            forms.remove(forms.size() - 1);
        }
        return false;
    }

    private boolean serve(List<Integer> forms, int request, int placed, int from) {
        if (request == forms.size()) {
            return true;
        }
        int claim = 0;
        int at = request;
        while (at >= claims.get(claim).requests().size()) {
            at -= claims.get(claim++).requests().size();
        }
        Claim.Request parent = claims.get(claim).requests().get(at);
        DeviceRequest form = parent.alternatives().get(forms.get(request));
        if (placed == form.count()) {
            return serve(forms, request + 1, 0, 0);
        }
        String name = parent.isPrioritized() ? parent.name() + "/" + form.name() : parent.name();
        for (int d = from; d < devices.size(); d++) {
            Device device = devices.get(d);
            if (accepts(form, device)) {
                picks.add(new Pick(claim, name, device, form.capacity()));
                if (areLegal(picks) && serve(forms, request, placed + 1, d + 1)) {
                    return true;
                }
                picks.remove(picks.size() - 1);
            }
        }
        return false;
    }

    private static boolean accepts(DeviceRequest form, Device device) {
        try {
            for (DeviceSelector selector : form.selectors()) {
                if (!selector.predicate().accepts(ClaimWorlds.slice(device).get(0), device)) {
                    return false;
                }
            }
        } catch (DeviceSelector.SelectorException e) {
            return false;
        }
        return device.capacity().keySet().containsAll(form.capacity().keySet());
    }

    /** Returns the alternatives of an answer. */
    List<Integer> chosen(List<ClaimAllocation> allocations) {
        List<Integer> chosen = new ArrayList<>();
        for (int c = 0; c < claims.size(); c++) {
            for (Claim.Request request : claims.get(c).requests()) {
                for (int a = 0; a < request.alternatives().size(); a++) {
                    String name = request.isPrioritized()
                            ? request.name() + "/"
                                    + request.alternatives().get(a).name()
                            : request.name();
                    if (allocations.get(c).grants().stream()
                            .anyMatch(grant -> grant.request().equals(name))) {
                        chosen.add(a);
                        break;
                    }
                }
            }
        }
        return chosen;
    }

    private boolean areLegal(List<Pick> all) {
        return areFree(all) && haveCounters(all) && keepConstraints(all);
    }

    private boolean areFree(List<Pick> all) {
        Map<String, DeviceAmount> memory = new HashMap<>();
        Set<String> alone = new HashSet<>();
        for (Pick pick : all) {
            String name = pick.device().name();
            DeviceCapacity capacity = pick.device().capacity().get("memory");
            DeviceAmount asked = pick.amounts().getOrDefault("memory", capacity.value());
            memory.merge(name, asked, DeviceAmount::plus);
            boolean shared = pick.device().isShareable();
            if (inUse.exclusive().contains(ClaimWorlds.id(name))
                    || !shared && !alone.add(name)
                    || memory.getOrDefault(name, DeviceAmount.ZERO).compareTo(capacity.value()) > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean haveCounters(List<Pick> all) {
        Map<String, DeviceAmount> left = new HashMap<>();
        slices.forEach(slice -> slice.counterSets()
                .forEach(set -> set.counters().forEach((name, amount) -> left.put(set.name() + name, amount))));
        boolean overdrawn = false;
        List<Device> using = new ArrayList<>();
        devices.stream()
                .filter(device -> inUse.exclusive().contains(ClaimWorlds.id(device.name())))
                .forEach(using::add);
        all.forEach(pick -> using.add(pick.device()));
        for (Device device : using) {
            for (Device.CounterUse use : device.consumes()) {
                use.counters()
                        .forEach((name, amount) ->
                                left.computeIfPresent(use.counterSet() + name, (key, rest) -> rest.minus(amount)));
            }
        }
        for (DeviceAmount rest : left.values()) {
            overdrawn |= rest.isNegative();
        }
        return !overdrawn || all.isEmpty();
    }

    private boolean keepConstraints(List<Pick> all) {
        for (int c = 0; c < claims.size(); c++) {
            for (Claim.Constraint constraint : claims.get(c).constraints()) {
                List<Object> values = new ArrayList<>();
                for (Pick pick : all) {
                    boolean about = constraint.requests().isEmpty()
                            || constraint.requests().contains(pick.request().split("/")[0]);
                    if (pick.claim() == c && about) {
                        values.add(pick.device().attributes().get("parent").elements());
                    }
                }
                int distinct = new HashSet<>(values).size();
                boolean match = constraint.kind() == Claim.Constraint.Kind.MATCH;
                if (match ? distinct > 1 : distinct < values.size()) {
                    return false;
                }
            }
        }
        return true;
    }
}
