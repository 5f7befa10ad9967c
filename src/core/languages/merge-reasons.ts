/** Why the merge rules of a space refuse to merge a change request. */
export const MERGE_REASONS = {
  'merge-rules-not-met': 'The merge rules of the space are not met. {faults}',
  'approval-missing': 'The current content must be approved',
  'approval-of-other-missing': 'The current content must be approved by somebody who did not edit it',
  'approval-of-user-missing': 'The current content must be approved by {names}',
  'approval-of-all-missing': 'The current content must be approved by all of these users: {names}',
  'approval-of-one-missing': 'The current content must be approved by one of these users: {names}',
  'approval-impossible': '{fault} ({others} cannot review here)',
  'changes-requested': '{names} requested changes, and must approve the content',
  'change-request-not-up-to-date': 'The change request is not up to date with the space: update it first',
  'change-request-without-subject': 'The change request needs a subject',
  'change-request-without-description': 'The change request needs a description',
  'custom-rule-not-met': 'The rule `{expression}` is not satisfied',
  'custom-rule-not-evaluated': 'The rule `{expression}` cannot be evaluated: {fault}',
} as const
