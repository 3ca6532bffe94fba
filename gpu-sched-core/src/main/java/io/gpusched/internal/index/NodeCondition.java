package io.gpusched.internal.index;

/** A condition on nodes as bitmaps: a slot meets it if it is in any of them, or if it is in none. */
final class NodeCondition {
    private final Bitmap[] any;
    private final boolean isMet;

    /**
     * @param isMet whether slots in any of the bitmaps meet the condition, else the others do
     */
    NodeCondition(Bitmap[] any, boolean isMet) {
        this.any = any;
        this.isMet = isMet;
    }

    static NodeCondition in(Bitmap... any) {
        return new NodeCondition(any, true);
    }

    static NodeCondition notIn(Bitmap... any) {
        return new NodeCondition(any, false);
    }

    /** The slots of a word that meet it, as a mask. */
    long slots(int word) {
        long found = 0;
        for (Bitmap bitmap : any) {
            found |= bitmap.slots(word);
        }
        return isMet ? found : ~found;
    }

    /** The words of a block that may have slots that meet it, as a mask. */
    long words(int block) {
        long found = isMet ? 0 : -1;
        for (int i = 0; i < any.length && isMet; i++) {
            found |= any[i].words(block);
        }
        return found;
    }
}
