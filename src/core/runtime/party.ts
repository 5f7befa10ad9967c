/**
 * Whom work is for. Whatever many can ask for is shared fairly: users take turns, whatever number of organizations each
 * of them has, and then the organizations of a user take turns.
 */
export interface Party {
  /** The id of the user who asks, or of the organization if no user did; for readers of sites, the name of their network. */
  user: string
  /** The id of the organization whose content the work is for. Without it, the work is for none. */
  organization?: string | undefined
}
