package io.gpusched.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one evaluation costs, as Kubernetes does, and ends it at the limit.
 *
 * <p>Names, fields and elements cost 1, lists 10, maps 30, a call 1 or by the lengths of its texts and lists. Literals, conditions and
 * the operators of truth cost nothing.
 */
final class CelCost implements CelEvaluationListener {
    /** The most that an evaluation may cost in Kubernetes. */
    static final long LIMIT = 1_000_000;

    private static final int LIST = 10;
    private static final int MAP = 30;
    /** The variable of {@code cel.bind}, which is a loop over an empty list that costs nothing. */
    private static final String BOUND = "#unused";

    private static final double TEXT = 0.1;
    private static final double REGEX = 0.25;

    /** The value of each part of the expression, as last evaluated. */
    private final Map<Long, Object> values = new HashMap<>();

    private final CelAbstractSyntaxTree tree;
    private final long limit;
    private long spent;

    CelCost(CelAbstractSyntaxTree tree, long limit) {
        this.tree = tree;
        this.limit = limit;
    }

    /** Thrown at the limit, through all of the evaluation. */
    static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExceededException() {
            super(CelSelectors.TOO_COSTLY);
        }
    }

    long spent() {
        return spent;
    }

    boolean isExceeded() {
        return spent > limit;
    }

    @Override
    public void callback(CelExpr part, Object value) {
        if (isExceeded()) {
            throw new ExceededException();
        }
        values.put(part.id(), value);
        spent += switch (part.exprKind().getKind()) {
            case IDENT, SELECT -> 1;
            case LIST -> LIST;
            case MAP -> MAP;
            case CALL -> call(part, value);
            case COMPREHENSION -> part.comprehension().iterVar().equals(BOUND) ? -LIST : 0;
            default -> 0;
        };
        if (isExceeded()) {
            throw new ExceededException();
        }
    }

    private long call(CelExpr part, @Nullable Object result) {
        CelExpr.CelCall call = part.call();
        List<CelExpr> args = call.args();
        boolean isMember = call.target().isPresent();
        CelExpr first = isMember ? call.target().get() : args.isEmpty() ? part : args.get(0);
        CelExpr second = isMember && !args.isEmpty() ? args.get(0) : args.size() > 1 ? args.get(1) : part;
        return switch (call.function()) {
            case "_&&_", "_||_", "_?_:_" -> 0;
            case "startsWith", "endsWith", "format", "quote", "quantity", "isQuantity", "semver", "isSemver" ->
                texts(size(first));
            case "lowerAscii", "upperAscii", "substring", "trim" -> texts(size(first));
            case "split", "replace" -> texts(2 * size(first));
            case "join" -> texts(2 * size(result));
            case "@in" -> overload(part).equals("in_list") ? size(second) : 1;
            case "_==_", "_!=_" -> texts(Math.min(size(first), size(second)));
            case "_<_", "_<=_", "_>_", "_>=_" ->
                overload(part).endsWith("_string") ? texts(Math.min(size(first), size(second))) : 1;
            case "_+_" -> overload(part).equals("add_string") ? texts(size(first) + size(second)) : 1;
            case "matches", "find", "findAll" -> texts(1 + size(first)) * (long) Math.ceil(size(second) * REGEX);
            case "contains", "indexOf", "lastIndexOf" -> texts(size(first)) * texts(size(second));
            default -> 1;
        };
    }

    /** The one function that types alone tell is called; an empty text if values tell. */
    private String overload(CelExpr call) {
        return tree.getReference(call.id())
                .map(CelReference::overloadIds)
                .filter(ids -> ids.size() == 1)
                .map(ids -> ids.get(0))
                .orElse("");
    }

    private static long texts(long characters) {
        return (long) Math.ceil(characters * TEXT);
    }

    private long size(CelExpr part) {
        return size(values.get(part.id()));
    }

    private static long size(@Nullable Object value) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        return value instanceof Collection<?> list ? list.size() : value instanceof Map<?, ?> map ? map.size() : 1;
    }
}
