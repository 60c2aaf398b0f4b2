import type { ErasureReceipt, SearchedPlace } from '../contracts/erasure';
import { type ReceiptParts, receiptOf } from '../intake/erasure-receipt';
import { type DurablePlaces, forgetInPlaces, scrubOwn } from '../store/erasure-places';
import { readTerms } from '../store/erasure-terms';
import { Signer } from '../store/signing';

export interface ErasureName {
  workspace: string;
  erasure_id: string;
}

/** How an erasure shows that what it took away is gone. */
export interface ErasureVerifying {
  /**
   * Deletes Temporal's executions that are named by an erased id, scrubs what deleting rows leaves in planner and
   * files, and looks for all of it in every durable place. Before what it looks for goes; again it does the same.
   */
  verify(
    erasure: ErasureName & { requestedAt: Date },
    onProgress: () => void,
  ): Promise<SearchedPlace[]>;
  /** Scrubs what the erasure itself wrote down, once that has gone. */
  forget(): Promise<void>;
  receipt(parts: Omit<ReceiptParts, 'signer'>): ErasureReceipt;
}

export interface VerifyingDependencies extends DurablePlaces {
  secretKey: string;
}

export function erasureVerifying({
  secretKey,
  ...places
}: VerifyingDependencies): ErasureVerifying {
  const signer = new Signer(secretKey);
  return {
    verify: async ({ workspace, erasure_id, requestedAt }, onProgress) => {
      const terms = await places.database.inWorkspace(workspace, (tx) => readTerms(tx, erasure_id));
      return await forgetInPlaces(places, { workspace, terms, requestedAt, onProgress });
    },
    forget: () => scrubOwn(places),
    receipt: (parts) => receiptOf({ ...parts, signer }),
  };
}
