"""A contact potential from contacts of native complexes against contacts of decoys."""

import numpy as np

from structures import TYPES

K = len(TYPES)


def symmetric(counts):
    """[K,K] ordered pairs -> unordered ones: element (s,t) and (t,s) both hold their sum, (s,s) itself."""
    total = counts + counts.T
    return np.where(np.eye(K, dtype=bool), counts, total)


def shares(counts):
    """Shares of unordered pairs: the upper triangle sums to 1."""
    return counts / np.triu(counts).sum()


def additive(observed, reference, iterations=200):
    """[K] factors f with sum_t reference[s,t] f_s f_t = sum_t observed[s,t]: how much more often each
    type is in contact than in the reference, whatever its partner (iterative proportional fitting)."""
    double = 1 + np.eye(K)  # a pair of equal types counts twice for its type
    target, factors = (observed * double).sum(1), np.ones(K)
    for _ in range(iterations):
        expected = (reference * double) @ factors * factors
        factors *= np.sqrt(target / np.maximum(expected, 1e-300))
    return factors


def contact_energies(native, decoy, pseudo_counts, group_size):
    """[K,K] eps = -ln(p_native / p_decoy), shrunk.

    native, decoy: unordered contact counts (`symmetric`). The additive model, factors of single types
    on the decoys' shares, is the prior: it expects e contacts of a pair where n are seen. Contacts come
    in bundles (residues touch with several atoms), so both are divided by group_size; then
    eps = -ln(f_s f_t (n + k) / (e + k)) with k pseudo_counts, the mean of a Gamma posterior. A pair
    seen rarely gets the energy that its two types have on their own.
    """
    reference = shares(decoy)
    observed = shares(native)
    factors = additive(observed, reference)
    prior = shares(reference * np.outer(factors, factors))
    effective = np.triu(native).sum() / group_size
    ratio = (observed * effective + pseudo_counts) / (prior * effective + pseudo_counts)
    return -np.log(np.outer(factors, factors) * ratio)
