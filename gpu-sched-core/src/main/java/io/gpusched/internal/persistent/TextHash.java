package io.gpusched.internal.persistent;

/**
 * A 64-bit hash of texts that spreads well in all its bits. Unlike {@link String#hashCode}, under which "Aa" and "BB" are
 * equal and any number of equal texts can be built of them, no two texts of one length up to four characters have the same hash.
 *
 * <p>Snapshots find nodes and pods by it, as tenants name their pods and a trie searches equal hashes one by one. Other values
 * have the hash of a record.
 */
public final class TextHash {
    /*
     * Four characters at a time are mixed in as one number. Each step multiplies by an odd constant and folds the high bits
     * onto the low ones: it can be undone, so nothing is lost before the next four characters come in. The last step is the
     * finalizer of MurmurHash3 (Austin Appleby), with the constants of David Stafford's variant 13.
     */
    private static final int CHARS = 4;
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private TextHash() {}

    /** Returns the hash of a text. */
    public static long of(String text) {
        return of(0, text);
    }

    /** Returns the hash of a text after another one, whose hash is given. */
    public static long of(long first, String text) {
        long hash = first + text.length() * STEP;
        int length = text.length();
        for (int from = 0; from < length; from += CHARS) {
            long word = 0;
            int to = Math.min(length, from + CHARS);
            for (int i = from; i < to; i++) {
                word = word << Character.SIZE | text.charAt(i);
            }
            hash = (hash ^ word) * STEP;
            hash ^= hash >>> 32;
        }
        return finish(hash);
    }

    private static long finish(long mixed) {
        long hash = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
        return hash ^ hash >>> 31;
    }
}
