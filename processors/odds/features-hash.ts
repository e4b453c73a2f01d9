// Written by `npm run detectors`: what the code of features.ts hashes to, with what it uses of ours. A model of other features is refused.
export const FEATURES_HASH = 'be270e2869414551fe33d3a6a456bc98fb461794fa57ece2173b56bf9031fd9f'
