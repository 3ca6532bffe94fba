package io.gpusched.replay;

import io.gpusched.decision.Unschedulable;
import io.gpusched.json.JsonFormat;
import io.gpusched.model.Placement;
import io.gpusched.queue.Plan;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A hash of a plan: of its steps in their order with all that they place, and of the jobs that wait and why. Not of the diagnosis of a
 * refusal, which is worked out only when asked for. It is the same on every machine and every JDK: 16 hexadecimal digits of a SHA-256.
 */
public final class AnswerHash {
    private AnswerHash() {}

    /** Returns the hash of a plan. */
    public static String of(Plan plan) {
        StringBuilder text = new StringBuilder();
        add(plan.steps(), text);
        add(plan.pending(), text);
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().toHexDigits(ByteBuffer.wrap(hash).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Returns the kind of a step or a reason, as histories have it: {@code overLimit}. */
    public static String kind(Object value) {
        String name = value.getClass().getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** Adds a value and all that it holds, in the order of its components. */
    private static void add(Object value, StringBuilder text) {
        if (value instanceof Placement placement) {
            text.append(JsonFormat.PLACEMENT.write(
                    new Placement(placement.pod(), placement.node(), placement.resources(), placement.containers())));
        } else if (value instanceof Unschedulable refusal) {
            text.append(refusal.subject())
                    .append('\t')
                    .append(refusal.certainty().name());
        } else if (value instanceof Enum<?> constant) {
            text.append(constant.name());
        } else if (value instanceof Optional<?> optional) {
            optional.ifPresent(present -> add(present, text));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> add(each, text));
        } else if (value instanceof Record record) {
            text.append(kind(record));
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                add(component(component, record), text);
            }
        } else {
            text.append(value);
        }
        text.append('\t');
    }

    private static Object component(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // values of the library are public
        }
    }
}
