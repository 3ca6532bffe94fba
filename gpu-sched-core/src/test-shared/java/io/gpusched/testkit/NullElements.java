package io.gpusched.testkit;

import java.lang.reflect.Array;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Arguments for one parameter that hold a null element, key or value. */
final class NullElements {
    private NullElements() {}

    /** The arguments by what they hold; none if the parameter is neither a collection, a map nor an array of objects. */
    static Map<String, Object> in(Parameter parameter, Function<Class<?>, Object> samples) {
        Class<?> type = parameter.getType();
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (type.isAssignableFrom(List.class) && Iterable.class.isAssignableFrom(type)) {
            arguments.put("a null element", Collections.singletonList(null));
        } else if (type == Set.class) {
            arguments.put("a null element", Collections.singleton(null));
        } else if (type == Map.class) {
            arguments.put("a null key", Collections.singletonMap(null, sample(parameter, 1, samples)));
            arguments.put("a null value", Collections.singletonMap(sample(parameter, 0, samples), null));
        } else if (type.isArray() && !type.getComponentType().isPrimitive()) {
            arguments.put("a null element", Array.newInstance(type.getComponentType(), 1));
        }
        return arguments;
    }

    private static Object sample(Parameter parameter, int argument, Function<Class<?>, Object> samples) {
        Type of = ((ParameterizedType) parameter.getParameterizedType()).getActualTypeArguments()[argument];
        return samples.apply((Class<?>) (of instanceof ParameterizedType generic ? generic.getRawType() : of));
    }
}
