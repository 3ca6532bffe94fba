package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.internal.AskedAmounts;
import io.gpusched.model.Node;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of one container under a vendor's names.
 *
 * @param names the names
 * @param asked the amounts
 */
record VendorAmounts(VendorResources names, AskedAmounts asked) {
    /** Returns the amounts of a container that asks for devices, or nothing if it asks for none. */
    static Optional<VendorAmounts> of(VendorResources names, ContainerManifest container) {
        VendorAmounts amounts = new VendorAmounts(names, new AskedAmounts(container.limits(), container.requests()));
        if (amounts.asked.number(names.count(), 0) != 0) {
            return Optional.of(amounts);
        }
        for (String part : new String[] {names.memory(), names.cores()}) {
            if (!part.isEmpty() && amounts.asked.number(part, 0) != 0) {
                throw new IllegalArgumentException(part + ": goes with a number of devices, got " + amounts.text(part)
                        + " without " + names.count());
            }
        }
        return Optional.empty();
    }

    private @Nullable String text(String resource) {
        return asked.text(resource);
    }

    /** Returns the number of devices, 1..64. */
    int count() {
        return (int) AskedAmounts.inRange(names.count(), asked.number(names.count(), 0), 1, Node.MAX_GPUS);
    }

    /** Returns the memory as it is written, empty where none is asked for. */
    String memoryText() {
        String text = hasMemory() ? asked.text(names.memory()) : null;
        return text == null ? "" : text;
    }

    boolean hasMemory() {
        return !names.memory().isEmpty() && asked.has(names.memory());
    }

    /** Returns the memory of each device in MiB, 0 where none is asked for. */
    long memoryMib(int unitMib) {
        return hasMemory() ? memoryUnits(Integer.MAX_VALUE / unitMib) * unitMib : 0;
    }

    private long memoryUnits(long most) {
        String name = names.memory();
        try {
            return AskedAmounts.inRange(name, asked.number(name, 0), 0, most);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + ": must be a whole number in 0.." + most + ", got \"" + text(name)
                            + "\"\nMaybe it was written with a unit; the resource has a unit of its own.",
                    e);
        }
    }

    /** Returns the compute of each device, 0 to the most. */
    long cores(long absent, long most) {
        String name = names.cores();
        return name.isEmpty() ? absent : AskedAmounts.inRange(name, asked.number(name, absent), 0, most);
    }
}
