/** The templates of spaces, as people read them. */
import { t } from './words.ts'

/** Returns the titles of the templates, and what is in them. */
export const templateNames = () => ({
  'api-reference': { title: t('template.api-reference'), about: t('template.api-reference-about') },
  changelog: { title: t('template.changelog'), about: t('template.changelog-about') },
  handbook: { title: t('template.handbook'), about: t('template.handbook-about') },
  'help-centre': { title: t('template.help-centre'), about: t('template.help-centre-about') },
  'product-documentation': {
    title: t('template.product-documentation'),
    about: t('template.product-documentation-about'),
  },
  runbook: { title: t('template.runbook'), about: t('template.runbook-about') },
})
