/** The address of a change request ends with it when its author has just finished writing, and may give it a name. */
export const NAME_IT = '#name'
