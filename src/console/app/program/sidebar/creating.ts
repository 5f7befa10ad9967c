import { sharedValue } from '../../ui/shared-value.ts'

/** What a dialog of the sidebar creates. */
export interface Creating {
  kind: 'space' | 'collection' | 'organization'
  organizationId: string
  /** The collection around it. */
  parent?: string
}

/** What is being created; undefined while no dialog is open. */
export const creating = sharedValue<Creating | undefined>(undefined)
