package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' own search, step by step: claim after claim and request after request takes the first device that fits, and
 * goes back where that leads nowhere. Its choice and its errors are those of Kubernetes 1.38.
 *
 * <p>Its cost would be so too, exponential. A walk that is guided asks {@link ExactSearch} of each device whether the rest can be
 * served beside it, and passes over those with which it cannot: the walk would come back from there with nothing. That is so as
 * long as nothing on the way can end the search with an error; else the walk goes alone.
 */
final class StockWalk {
    private enum End {
        FOUND,
        NONE,
        /** The claim would have too many devices whatever is chosen from here. */
        TOO_MANY
    }

    private final Forms forms;
    private final ClaimState state;
    private final SearchSteps steps;
    private final @Nullable Guide guide;
    private final List<List<Pick>> picks = new ArrayList<>();

    /** What looks ahead: the search, with the requests by claim. */
    record Guide(ExactSearch search, List<List<ExactSearch.Open>> open) {
        static Guide of(Forms forms, ClaimState state, SearchSteps steps) {
            List<ExactSearch.Open> all = ClaimProblem.open(forms);
            List<List<ExactSearch.Open>> byClaim = new ArrayList<>();
            for (List<List<Form>> claim : forms.byClaim()) {
                int from = byClaim.stream().mapToInt(List::size).sum();
                byClaim.add(all.subList(from, from + claim.size()));
            }
            return new Guide(new ExactSearch(all, state, new Components(state.units, state, forms), steps), byClaim);
        }

        /** Returns whether no device and no request can end the search with an error. */
        boolean isTrusted() {
            return open.stream()
                    .flatMap(List::stream)
                    .flatMap(one -> one.forms.stream())
                    .allMatch(form -> {
                        search.accepted(form);
                        return search.error() == null && (form.everyDevice == null || form.constraints.length == 0);
                    });
        }
    }

    /** A device for a form. */
    record Pick(Form form, Unit unit) {}

    StockWalk(Forms forms, ClaimState state, SearchSteps steps, @Nullable Guide guide) {
        this.guide = guide;
        this.forms = forms;
        this.state = state;
        this.steps = steps;
        forms.claims().forEach(claim -> picks.add(new ArrayList<>()));
    }

    /**
     * Returns the devices of each claim; null if there are none, or the limit of steps is reached.
     *
     * @throws Raised if the search meets what ends it
     */
    @Nullable
    List<List<Pick>> run() {
        return claim(0) == End.FOUND ? picks : null;
    }

    private End claim(int c) {
        return c == picks.size() ? End.FOUND : request(c, 0);
    }

    private End request(int c, int r) {
        if (r == forms.byClaim().get(c).size()) {
            End end = claim(c + 1);
            return end == End.TOO_MANY ? End.NONE : end;
        }
        boolean allTooMany = true;
        for (Form form : forms.byClaim().get(c).get(r)) {
            choose(form, form.alternative);
            End end = devices(form, 0, 0);
            if (end == End.FOUND) {
                return end;
            }
            choose(form, -1);
            allTooMany &= end == End.TOO_MANY;
        }
        return allTooMany ? End.TOO_MANY : End.NONE;
    }

    private End devices(Form form, int placed, int start) {
        if (!steps.take(1)) {
            return End.NONE;
        }
        if (form.everyDevice != null && form.everyDevice.length == 0) {
            return End.NONE;
        }
        if (placed >= form.need) {
            return request(form.claim, form.request + 1);
        }
        if (picks.get(form.claim).size() + form.need - placed > Claim.MAX_DEVICES) {
            return End.TOO_MANY;
        }
        return form.everyDevice != null ? all(form, placed, form.everyDevice) : counted(form, placed, start);
    }

    private End all(Form form, int placed, int[] every) {
        Unit unit = state.units.all.get(every[placed]);
        ClaimState.Refusal refusal = state.refusal(form, unit);
        if (refusal == ClaimState.Refusal.CONSTRAINT) {
            throw form.allBreaksConstraint(unit);
        }
        return refusal != null ? End.NONE : with(form, placed, unit, 0);
    }

    private End counted(Form form, int placed, int start) {
        int[] order = form.view.order;
        for (int at = start; at < order.length; at++) {
            Unit unit = state.units.all.get(order[at]);
            if (steps.isReached()) {
                return End.NONE;
            }
            if (state.isInUse(form, unit)
                    || !form.accepts(unit)
                    || !state.hasCapacity(form, unit)
                    || state.refusal(form, unit) != null) {
                continue;
            }
            End end = with(form, placed, unit, at + 1);
            if (end != End.NONE) {
                return end;
            }
        }
        return End.NONE;
    }

    private End with(Form form, int placed, Unit unit, int next) {
        List<Pick> mine = picks.get(form.claim);
        state.take(form, unit);
        mine.add(new Pick(form, unit));
        End end = leadsOn(form, unit) ? devices(form, placed + 1, next) : End.NONE;
        if (end != End.FOUND) {
            mine.remove(mine.size() - 1);
            state.undo();
            if (guide != null) {
                ExactSearch.Open open = guide.open().get(form.claim).get(form.request);
                open.given.remove(open.given.size() - 1);
            }
        }
        return end;
    }

    private void choose(Form form, int alternative) {
        if (guide != null) {
            guide.open().get(form.claim).get(form.request).chosen = alternative;
        }
    }

    /** Returns whether the rest can be served beside a device just given, which is the last in the pool's order that its request has. */
    private boolean leadsOn(Form form, Unit unit) {
        if (guide == null) {
            return true;
        }
        ExactSearch.Open open = guide.open().get(form.claim).get(form.request);
        open.given.add(unit);
        open.barred = new BitSet();
        if (form.everyDevice == null) {
            for (int d : form.view.order) {
                open.barred.set(d);
                if (d == unit.index) {
                    break;
                }
            }
        }
        return guide.search().isFeasible();
    }
}
