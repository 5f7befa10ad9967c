import { MESSAGES_CHINESE } from '../../core/languages/messages-zh.ts'

/** The Chinese words of the messages of the API that the server's pages show. */
export const PAGE_MESSAGES_CHINESE: Readonly<Record<string, string>> = {
  ...MESSAGES_CHINESE,

  // Signing in and the account
  'The e-mail address or the password is wrong': '邮箱地址或密码错误',
  'The link is unknown, used or expired; request a new one': '链接不存在、已使用或已过期；请重新获取',
  'This passkey does not sign anyone in here; try again, or sign in with your password':
    '此通行密钥无法在此登录；请重试，或使用密码登录',
  'A user can have {limit} passkeys; delete one that you no longer use':
    '每位用户最多可以有 {limit} 个通行密钥；请删除不再使用的通行密钥',
  'This passkey is registered already': '此通行密钥已注册',
  'must answer the challenge of a registration that the caller began minutes ago':
    '不是几分钟前开始的注册的回应',
  'The account has a second factor already; delete it before you set up another one':
    '账户已启用双重验证；请先关闭再重新设置',
  'The second factor is confirmed already': '双重验证已确认',
  'Set up an authenticator app before you confirm it': '请先设置身份验证器应用，再进行确认',
  'must be the present code of the authenticator app': '必须是身份验证器应用当前的验证码',
  'must be the present code of the authenticator app, or an unused recovery code':
    '必须是身份验证器应用当前的验证码，或未使用的恢复代码',
  'Send the password of the account as "password", or sign in again with the browser':
    '请输入账户密码，或在浏览器中重新登录',
  'must be the password of the caller': '不正确',
  'must be the current password': '不正确',
  'Your account has no password; to set one, sign in again with the browser':
    '你的账户没有密码；要设置密码，请在浏览器中重新登录',
  'This session is limited to the organization whose identity provider signed you in; sign in with your own password or passkey, or use an API token that you created then':
    '此会话仅限于通过身份提供商登录的组织；请使用自己的密码或通行密钥登录',
  'Invite links are disabled in this organization; an administrator can enable them':
    '此组织已停用邀请链接；管理员可以启用',
  'This invitation is for another e-mail address; sign in with that address':
    '此邀请是发给另一个邮箱地址的；请使用该地址登录',
  'This organization cannot add more people without an account today; sign in again in {seconds} seconds':
    '此组织今天无法再添加没有账户的人；请在 {seconds} 秒后重新登录',
  'Your access to this was removed; ask an administrator of it to grant you a role':
    '你的访问权限已被移除；请联系管理员为你授予角色',
}
