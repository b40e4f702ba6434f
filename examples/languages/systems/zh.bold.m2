S 对 一个 生名 来说 空气 污染 是 很 危害 的 问题 ， 对 身体 不好 。
A 2 3|||R:SPELL|||生命|||REQUIRED|||-NONE-|||0
A 7 7|||M:VERB|||有|||REQUIRED|||-NONE-|||0

S 因为 读书 准备 就业 的 时间 越 少 了 。
A 2 2|||M:PUNCT|||，|||REQUIRED|||-NONE-|||0
A 6 7|||R:ADV|||更|||REQUIRED|||-NONE-|||0

S 其 结果 全世界 的 环境 问题 越 严重 。
A 2 2|||M:VERB|||是|||REQUIRED|||-NONE-|||0
A 6 7|||R:ADV|||越来越|||REQUIRED|||-NONE-|||0

S 既 使 它们 都 存在 过 ， 但 很 少 一 种 状况 持续 很 长 时间 。
A 0 2|||R:SPELL|||即使|||REQUIRED|||-NONE-|||0
A 10 10|||M:OTHER|||会 有|||REQUIRED|||-NONE-|||0

S 举办 一 场 名 为 “ 教学 相长 ” 的 师生 交流 活动 。 由 中文系 中国 学生 与 留学生 联合 举办 。
A 13 14|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S 那 舜 间 ， 我 就 感到 惭愧 。
A 1 3|||R:SPELL|||瞬间|||REQUIRED|||-NONE-|||0

S 看 周违 ， 我们 就 会 发现 已经 不少 人 在 天漠 ( 离 北京 最近 的 沙漠 ) 栽种 树木 ， 少 用 汽车 。
A 1 2|||R:SPELL|||周围|||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB|||有|||REQUIRED|||-NONE-|||0

S 但 路人 却 只有 增 不 减 也就是说 本地 人 都 不 出门 ， 或 去 其他 地方 了 ， 在 北京 大多数 是 游客 。
A 3 4|||R:ADV|||只|||REQUIRED|||-NONE-|||0
A 7 7|||M:PUNCT|||，|||REQUIRED|||-NONE-|||0
A 22 22|||M:AUX|||的|||REQUIRED|||-NONE-|||0

S 少女 的 那 黑色 皮肤 渐渐 变 白 。
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||0

S 众人 虽 惊奇 少女 的 出现 ， 但 注意力 很快 又 回到 这 年轻 弟子 身上 。
A 3 3|||M:PREP|||于|||REQUIRED|||-NONE-|||0

S 简单 的 工作 一定 不 能 安心 。
A 6 6|||M:OTHER|||使 人|||REQUIRED|||-NONE-|||0

S 因为 得 准备 就业 之 忙 ， 所以 时间 能 读 只 是 一 种 借口 。
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB|||没|||REQUIRED|||-NONE-|||0
A 9 10|||U:VERB||||||REQUIRED|||-NONE-|||0

S 我们 的 人生 上 ， 当然 面临 各种各样 的 情况 。
A 3 4|||R:NOUN|||中|||REQUIRED|||-NONE-|||0
A 6 6|||M:VERB|||会|||REQUIRED|||-NONE-|||0

S 从 几 天 以前 感觉 身子 冷丝丝 ， 结局 感冒 了 。
A 6 7|||R:OTHER|||冷丝丝的|||REQUIRED|||-NONE-|||0
A 8 9|||R:NOUN|||结果|||REQUIRED|||-NONE-|||0

S 大学生 就业 难 仅仅 是 观念 上 的 问题 不论是 学生 还是 城市 学生 ， 北京 、 上海 、 深圳 绝对 是 最 具 诱惑力 的 前 三 个 就业 地点 。
A 9 9|||M:PUNCT|||，|||REQUIRED|||-NONE-|||0
A 10 10|||M:NOUN|||农村|||REQUIRED|||-NONE-|||0

S 因 些 ， 民间 企业 运动 越来越 扩展 ， 也 成 了 韩国 经济 发展 主动力 之一 。
A 0 2|||R:CONJ|||因此|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||的 范围|||REQUIRED|||-NONE-|||0
A 9 9|||M:ADV|||，|||REQUIRED|||-NONE-|||0

S 韩国 大 总统 从 1970年 参加 光复节 纪念 活动 ， 说闲话 ， 1974年 在 活动场 发生 了 第一 夫人 的 遇刺 事件 ， 有 了 这样 的 曲折 。
A 5 5|||M:VERB|||开始|||REQUIRED|||-NONE-|||0
A 10 12|||R:CONJ|||但是|||REQUIRED|||-NONE-|||0
A 14 15|||R:OTHER|||活动 现场|||REQUIRED|||-NONE-|||0
A 23 23|||M:ADV|||，|||REQUIRED|||-NONE-|||0
A 27 28|||R:VERB|||转折|||REQUIRED|||-NONE-|||0

S 四 、 待 有 法国 菜证人 优先 考虑 。
A 2 4|||R:SPELL|||持有|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||菜证 的 人|||REQUIRED|||-NONE-|||0

S 关于 这些 问题 大学 毕业生 首先 了解 自我 。
A 6 6|||M:VERB|||需要|||REQUIRED|||-NONE-|||0

S 据 报道 韩国 女 大学生 当兵 的 数目 比 去年 增加 了 长 约 2 倍 ， 并 为了 参加 “ 将校 考试 ” 去 学院 的 人数 比 去年 大概 增加 了 4 倍 。
A 12 13|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 17 18|||R:CONJ|||并且|||REQUIRED|||-NONE-|||0

S 可 父母 的 支持 下来 北京 开始 留学 。
A 0 1|||R:PREP|||在|||REQUIRED|||-NONE-|||0

S 每次 做 事情 的 时 我 都 不 会 忘记 “ 每天 事情 ， 一定 要 很 认真 的 对待 。 千万 不要 骄傲 。 ”
A 4 5|||R:NOUN|||时候|||REQUIRED|||-NONE-|||0
A 11 12|||R:OTHER|||每 件|||REQUIRED|||-NONE-|||0
A 18 19|||U:SPELL||||||REQUIRED|||-NONE-|||0

S 她 无意 中 开始 涩涩 发抖 ， 此时 有人 轻轻地 抹 了 她 的 娇弱 的 肩膀 。
A 4 5|||U:SPELL||||||REQUIRED|||-NONE-|||0
A 10 11|||R:SPELL|||摸|||REQUIRED|||-NONE-|||0

S 他 准备 照相机 。 为了 把 漂亮 的 风景 回忆 。
A 2 2|||M:AUX|||了|||REQUIRED|||-NONE-|||0

S 利马 是 个 非常 值得 一观 的 游览 城市 。
A 5 6|||R:OTHER|||一 游|||REQUIRED|||-NONE-|||0

S 在 讨论 外语 和 母语 之间 的 影响 之前 ， 我们 先 来 了解 母语 和 外语 的 定义 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 西方 人 的 想法 内 有 自己 的 文化 比 印第安 人 的 文化 优越 得 多 。
A 4 6|||R:VERB|||是|||REQUIRED|||-NONE-|||0

S 这样 的 印第安 人 的 文化 仍然 是 对 当今 社会学家 的 重要 学习 课题 。
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S 这么 一个 性格 的 我 最 承受 不 了 的 是 压力 。
A 0 1|||R:PRON|||这样|||REQUIRED|||-NONE-|||0

S 我 的 孩子 们 长大 了 ， 今天 是 我 人生 中 屈指可数 的 一 天 了 。
A 12 13|||U:OTHER||||||REQUIRED|||-NONE-|||0

S 对 我 来说 ， 到 现在 ， 我 觉得 最 高兴 的 事情 是 合格 高考 的 。
A 6 6|||M:VERB|||为止|||REQUIRED|||-NONE-|||0
A 14 16|||R:WO|||高考 合格|||REQUIRED|||-NONE-|||0
A 16 16|||M:AUX|||高考|||REQUIRED|||-NONE-|||0

S 我 跟 他 一起 学习 越 长 ， 我 的 成绩 越 提高 。
A 5 5|||M:OTHER|||的 时间|||REQUIRED|||-NONE-|||0
A 12 13|||R:ADJ|||多|||REQUIRED|||-NONE-|||0

S 四 年 前 的 这个 时候 我 是 你 的 学生 ， 你 是 我们 班 的 主任 老师 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 在 鸟 里 ， 不 能 卖 自由 。
A 6 6|||M:VERB|||能|||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB|||自由|||REQUIRED|||-NONE-|||0

S 这 在 这 是 ， 弟弟 刚刚 看到 过 的 漂亮 的 女子 走 进 了 屋子 。
A 0 1|||R:ADV|||就|||REQUIRED|||-NONE-|||0
A 2 4|||R:SPELL|||这时|||REQUIRED|||-NONE-|||0

S 可 我 决心 的 是 19 岁 冬天 有点 晚 了 ， 在 韩国 19 岁 冬天 要 准备 考上 大学 。
A 2 3|||R:VERB|||下决心|||REQUIRED|||-NONE-|||0
A 4 4|||M:NOUN|||时候|||REQUIRED|||-NONE-|||0
A 8 8|||M:PUNCT|||，|||REQUIRED|||-NONE-|||0

S 我 希望 在 这 堂 课学 提高 我 的 写作 。
A 5 6|||R:OTHER|||课 的 学习 中|||REQUIRED|||-NONE-|||0

S 女娲 哪 能 想到 过 一个 纯纯扑扑 活 在 红尘 的 小伙子 会 打动 她 的 心 呢 ？
A 6 7|||R:OTHER|||纯纯朴|||REQUIRED|||-NONE-|||0
A 7 8|||R:ADJ|||朴活|||REQUIRED|||-NONE-|||0

S 虽然 他们 很 忘 ， 为了 实现 儿子 的 心 他们 来 我 太 感动 了 。
A 3 4|||R:SPELL|||忙|||REQUIRED|||-NONE-|||0
A 5 5|||M:CONJ|||但是|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN|||心愿|||REQUIRED|||-NONE-|||0
A 11 11|||M:VERB|||能|||REQUIRED|||-NONE-|||0
A 12 12|||M:PUNCT|||，|||REQUIRED|||-NONE-|||0

S 几 个 仙女 来 蟠桃 圆 摘 桃 时 ， 告诉 了 孙悟空 王母 要 做 蟠桃 盛会 。
A 4 6|||R:SPELL|||蟠 桃园|||REQUIRED|||-NONE-|||0
A 15 16|||U:VERB||||||REQUIRED|||-NONE-|||0

S 张爱玲 在 1943年 发表 的 中篇小说 《 倾 城 之 恋 》 ， 许多 文学家 对 它 发表 评论 。
A 12 17|||U:OTHER||||||REQUIRED|||-NONE-|||0

S 最 总 ， 我 对 这 时间 非常 感谢 ！
A 0 2|||R:NOUN|||最后|||REQUIRED|||-NONE-|||0
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 9 9|||M:OTHER|||这 段 时间|||REQUIRED|||-NONE-|||0

S 我 从 幼儿园 一 年级 到 出中 三 年级 就 在 一 所 温爱 的 学校 ， 强民 学校 离 我 的 家 两 公斤 。
A 6 7|||R:SPELL|||初中|||REQUIRED|||-NONE-|||0
A 13 14|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 24 25|||R:QUANT|||公里|||REQUIRED|||-NONE-|||0

S 小孩子 是 创造 玩具 的 天才 ， 从 什么 都 没有 的 地方 作出 有趣 的 东西 。
A 7 7|||M:VERB|||能|||REQUIRED|||-NONE-|||0

S 地铁 里 的 人 也 非常 多 ， 中国 人 说话 的 时候 也 很 大 声 的 说话 ， 好像 装作 旁若 无 人 一样 的 大声 说话 。
A 17 19|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 20 22|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 26 27|||U:SPELL||||||REQUIRED|||-NONE-|||0

S 中国 是 发展中国家 ， 有 很多 地方 建 一些 高楼大厦 、 公寓 等等 …… 因此 打工 时 发生 的 噪音 给 我们 的 耳朵 很 大 的 刺激 。
A 15 16|||R:VERB|||施工|||REQUIRED|||-NONE-|||0
A 17 18|||R:VERB|||发出|||REQUIRED|||-NONE-|||0
A 24 24|||M:VERB|||带来|||REQUIRED|||-NONE-|||0

S 只有 5% 的 受访者 表示 做 工作 、 如 英语 辅导 。 这 类 人 的 国家 是 加拿达 ， 比例 最 少 。
A 5 6|||R:VERB|||有|||REQUIRED|||-NONE-|||0
A 7 8|||R:PUNCT|||，|||REQUIRED|||-NONE-|||0
A 19 20|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S 还 例如 本人 上 个 学期 亲身 骑 电动车 去 上课 的 时候 ， 一 辆 汽车 突然 向 我 飞驰 而 来 ， 当时 我 未 及 避 那 汽车 就 装 上 了 ， 但是 那 车 的 驾驶者 看到 我 是 外国人 ， 这 发生 的 情况 反而 都 询问 我 责任 ， 并且 他 驾 逆向 行驶 ， 我 正 给 中国 朋友 打电话 时 ， 他 驾车 仓皇 逃走 了 。
A 32 33|||R:SPELL|||撞|||REQUIRED|||-NONE-|||0
A 46 50|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 58 59|||U:VERB||||||REQUIRED|||-NONE-|||0

S 对 我 来 看 现在 的 社会 是 不 太 理想 ， 这部 电影 给 我们 想 什么样 的 社会 是 美好 ， 理想 ， 还有 环境 的 问题 ， 现在 除了 地求 温暖化 以外 ， 很多 环境 问题 ， 但 并 不 没有 解决 。
A 0 1|||R:PREP|||在|||REQUIRED|||-NONE-|||0
A 16 17|||R:OTHER|||设想 了|||REQUIRED|||-NONE-|||0
A 42 43|||U:ADV||||||REQUIRED|||-NONE-|||0

S 而且 ， 现在 市民 的 文化 水平 越来越 高 ， 也 有 很 外国 方客 。
A 12 13|||R:NUM|||很多|||REQUIRED|||-NONE-|||0
A 14 15|||R:NOUN|||游客|||REQUIRED|||-NONE-|||0

S 这种 在线 聊天 、 博客 撰写 、 网页 游戏 等 多种 网络 社交 工具 造成 了 一体 新型 虚拟 社区 形态 ， 对 现实 社社交 结构 形成 了 巨大 冲击 。
A 14 15|||R:VERB|||形成|||REQUIRED|||-NONE-|||0
A 24 25|||U:OTHER||||||REQUIRED|||-NONE-|||0

S 而且 就算 他们 有幸 没有 被 火 燃烧 ， 还是 由于 隧道 里面 的 空气 很 少 ， 不 能 呼吸 ， 导致 窒息 。
A 10 10|||M:VERB|||会|||REQUIRED|||-NONE-|||0

S 他 的 制作 电影 虽然 一 部 又 一 部 都 是 关于 我们 世界 的 灾难 ， 但 热爱 收看 灾难片 的 观众 却 不 觉得 腻味 ， 反而 盼望 着 欣赏 到 艾默里奇 这 类似 的 新 作品 。
A 1 3|||R:WO|||制作 的|||REQUIRED|||-NONE-|||0

S 在 面临 着 生死 的 时候 有 一个 朋友 陪伴 ， 这 可 是 一 种 幸福 啊 ！ 那种 幸福 是 很 难 用 语言 表达 出来 。
A 3 4|||U:VERB||||||REQUIRED|||-NONE-|||0
A 28 28|||M:AUX|||的|||REQUIRED|||-NONE-|||0

S 我 个人 认为 这样 的 将 两 个 人 比较 的 就 是 在 这部 电影 里面 最 有 魅力 的 部分 ， 也 是 最 有意思 的 。
A 4 5|||U:AUX||||||REQUIRED|||-NONE-|||0
A 10 11|||U:AUX||||||REQUIRED|||-NONE-|||0

S 那天 之后 他们 俩 成为 好 朋友 ， 后来 他们 的 关系 发展 到 谈 恋爱 。
A 14 16|||R:NOUN|||恋人|||REQUIRED|||-NONE-|||0

S 后来 ， 每次 风 吹 过 山茱萸林 的 时候 ， 仍然 听 得到 近似 的 喊声 。
A 13 14|||R:ADJ|||类似|||REQUIRED|||-NONE-|||0

S 由于 顾滤 到 中国 学生 和 留学生 在 中文 基础 和 学习 能力 方面 存在 差异 ， 中文系 分别 为 留学生 和 中国 学生 设定 了 两 个 不同 的 班级 。
A 1 2|||R:SPELL|||顾虑|||REQUIRED|||-NONE-|||0

S 这 现象 是 相对 的 ， 不 能 说 谁 错 的 。
A 10 10|||M:VERB|||是|||REQUIRED|||-NONE-|||0

S 我 认为 这样 的 情况 下 ， 世界 上 所有 的 人 对待 异域 文化 的 时候 ， 应当 具有 的 一 种 态度 。
A 20 20|||M:AUX|||具有|||REQUIRED|||-NONE-|||0

