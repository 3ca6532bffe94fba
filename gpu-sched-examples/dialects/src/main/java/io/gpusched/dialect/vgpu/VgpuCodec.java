package io.gpusched.dialect.vgpu;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The text in which HAMi and Volcano write a pod's GPUs into an annotation: {@code UUID,Type,MiB,cores:} for each GPU,
 * containers apart by {@code ;}. HAMi ends every container with it, Volcano only separates them; both are read.
 */
public final class VgpuCodec {
    private VgpuCodec() {}

    /**
     * What could be read of an annotation.
     *
     * @param containers the shares of each container, in order
     * @param unreadable the records that could not be read, as they stand there
     */
    public record Decoded(List<List<VgpuShare>> containers, List<String> unreadable) {
        /** Copies the lists. */
        public Decoded {
            containers = Checks.list("containers", containers);
            unreadable = Checks.list("unreadable", unreadable);
        }
    }

    /** Returns HAMi's text: every container, empty ones too, ends with a semicolon. */
    public static String encodeHami(List<List<VgpuShare>> containers) {
        Objects.requireNonNull(containers, "containers");
        StringBuilder text = new StringBuilder();
        containers.forEach(shares -> text.append(encodeContainer(shares)).append(';'));
        return text.toString();
    }

    /** Returns Volcano's text: containers joined by semicolons. */
    public static String encodeVolcano(List<List<VgpuShare>> containers) {
        Objects.requireNonNull(containers, "containers");
        return String.join(
                ";", containers.stream().map(VgpuCodec::encodeContainer).toList());
    }

    private static String encodeContainer(List<VgpuShare> shares) {
        StringBuilder text = new StringBuilder();
        for (VgpuShare share : shares) {
            text.append(share.gpu())
                    .append(',')
                    .append(share.type())
                    .append(',')
                    .append(share.memoryMib())
                    .append(',')
                    .append(share.cores())
                    .append(':');
        }
        return text.toString();
    }

    /**
     * Returns the shares of each container.
     *
     * @throws IllegalArgumentException if a record cannot be read. HAMi reads bad numbers as 0 and Volcano drops the
     *     record, and both then give away what is in use; here nothing is given away on such a text.
     */
    public static List<List<VgpuShare>> decode(String text) {
        Objects.requireNonNull(text, "text");
        Decoded decoded = decodeReadable(text);
        if (!decoded.unreadable().isEmpty()) {
            throw new IllegalArgumentException("vgpu annotation: cannot read \""
                    + decoded.unreadable().get(0)
                    + "\", expected UUID,Type,MiB,cores with whole numbers that are not negative.\n"
                    + "Maybe the pod was given a node by hand (nodeName) and never got GPUs from the scheduler.");
        }
        return decoded.containers();
    }

    /** Returns the shares that can be read, and the records that cannot: treat a GPU they may name as unusable. */
    public static Decoded decodeReadable(String text) {
        Objects.requireNonNull(text, "text");
        List<List<VgpuShare>> containers = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        String body = text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
        for (String container : text.isEmpty() ? new String[0] : body.split(";", -1)) {
            List<VgpuShare> shares = new ArrayList<>();
            for (String entry : container.split(":", -1)) {
                read(entry, shares, unreadable);
            }
            containers.add(List.copyOf(shares));
        }
        return new Decoded(containers, unreadable);
    }

    private static void read(String entry, List<VgpuShare> shares, List<String> unreadable) {
        if (entry.isBlank()) {
            return;
        }
        String[] fields = entry.split(",", -1);
        try {
            if (fields.length < 4 || fields[0].isBlank()) {
                unreadable.add(entry);
            } else {
                shares.add(
                        new VgpuShare(fields[0], fields[1], Integer.parseInt(fields[2]), Integer.parseInt(fields[3])));
            }
        } catch (IllegalArgumentException e) {
            unreadable.add(entry);
        }
    }
}
