package io.gpusched.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Some lines of a file, compressed as a gzip member of their own, so that {@code zcat} reads a file, and a file that is cut reads up to the
 * last whole block. As in BGZF, an extra field of the member's header says how long the member is. It also has a hash of the member
 * and of the hash before, which no change of a byte survives, and a checksum of the header, by which a changed length is told from a
 * file that was cut.
 *
 * <pre>
 * 1f 8b 08 04 00000000 00 ff   gzip: deflate, with an extra field
 * 14 00  'G' 'S' 10 00         20 bytes follow: a field of 16
 * length (4) hash (8) crc (4)  little-endian; the crc is of all before it
 * ...  crc (4)  length (4)     deflated lines, as in any gzip
 * </pre>
 */
final class Block {
    private static final int HEADER = 32;
    private static final int TRAILER = 8;
    private static final int LENGTH_AT = 16;
    private static final int HASH_AT = 20;
    private static final int CRC_AT = 28;
    private static final byte[] FIXED = {0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 0xff, 20, 0, 'G', 'S', 16, 0};

    /** More is never written at once, and never read. */
    static final int MOST_TEXT = 1 << 28;

    private final byte[] bytes;
    private final long hash;

    private Block(byte[] bytes, long hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    /** The member. */
    byte[] bytes() {
        return bytes;
    }

    /** The hash, which the next block of the file goes on from. */
    long hash() {
        return hash;
    }

    /** Returns the block of some lines that follows a hash. */
    static Block of(byte[] text, int length, long before) {
        ByteArrayOutputStream deflated = new ByteArrayOutputStream(length / 8 + 64);
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setInput(text, 0, length);
            deflater.finish();
            byte[] buffer = new byte[1 << 14];
            while (!deflater.finished()) {
                deflated.write(buffer, 0, deflater.deflate(buffer));
            }
        } finally {
            deflater.end();
        }
        ByteBuffer block =
                ByteBuffer.allocate(HEADER + deflated.size() + TRAILER).order(ByteOrder.LITTLE_ENDIAN);
        block.put(FIXED).putInt(block.capacity()).putLong(0).putInt(0).put(deflated.toByteArray());
        block.putInt((int) crc(text, 0, length)).putInt(length);
        long hash = hash(block.array(), before);
        block.putLong(HASH_AT, hash);
        block.putInt(CRC_AT, (int) crc(block.array(), 0, CRC_AT));
        return new Block(block.array(), hash);
    }

    /**
     * Reads the next block of a file; null at its end.
     *
     * @throws CutException if the file ends within the block
     * @throws DamagedException if a byte of the block is not what was written
     */
    static @Nullable Block read(InputStream in, long before) throws IOException {
        byte[] header = in.readNBytes(HEADER);
        if (header.length == 0) {
            return null;
        }
        int known = Math.min(header.length, FIXED.length);
        if (!Arrays.equals(header, 0, known, FIXED, 0, known)) {
            throw new DamagedException();
        }
        if (header.length < HEADER) {
            throw new CutException();
        }
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int length = fields.getInt(LENGTH_AT);
        if (fields.getInt(CRC_AT) != (int) crc(header, 0, CRC_AT) || length < HEADER + TRAILER) {
            throw new DamagedException();
        }
        byte[] bytes = Arrays.copyOf(header, length);
        if (in.readNBytes(bytes, HEADER, length - HEADER) < length - HEADER) {
            throw new CutException();
        }
        long hash = fields.getLong(HASH_AT);
        if (hash(bytes, before) != hash) {
            throw new DamagedException();
        }
        return new Block(bytes, hash);
    }

    /** Returns the lines. */
    byte[] text() throws DamagedException {
        ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int length = block.getInt(bytes.length - 4);
        if (length < 0 || length > MOST_TEXT) {
            throw new DamagedException();
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, HEADER, bytes.length - HEADER - TRAILER);
            byte[] text = new byte[length];
            int done = 0;
            while (done < length) {
                int more = inflater.inflate(text, done, length - done);
                if (more == 0) {
                    throw new DamagedException();
                }
                done += more;
            }
            return text;
        } catch (DataFormatException e) {
            throw new DamagedException();
        } finally {
            inflater.end();
        }
    }

    /** The hash of a block whose hash and checksum are not known yet, and of the hash before. */
    private static long hash(byte[] block, long before) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(8).putLong(before).array());
            digest.update(block, 0, HASH_AT);
            digest.update(block, HEADER, block.length - HEADER);
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private static long crc(byte[] bytes, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, length);
        return crc.getValue();
    }

    /** The file ends within a block. */
    static final class CutException extends IOException {}

    /** A byte of a block is not what was written. */
    static final class DamagedException extends IOException {}
}
