package io.gpusched.decision;

import java.util.List;
import java.util.stream.Collectors;

/** Lists in words, of many things the first few. */
final class Words {
    private static final int MOST_LISTED = 8;

    private Words() {}

    /** Things with commas between them. */
    static String some(List<?> things) {
        return joined(things, ", ");
    }

    /** Names in quotation marks. */
    static String quoted(List<?> names) {
        return some(names.stream().map(name -> "\"" + name + "\"").toList());
    }

    static String joined(List<?> things, String between) {
        int more = things.size() - MOST_LISTED;
        return things.stream().limit(MOST_LISTED).map(Object::toString).collect(Collectors.joining(between))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
