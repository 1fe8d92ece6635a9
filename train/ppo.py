"""Train an agent by masked PPO in self-play, export it and measure it.

    python -m train.ppo configs/quickstart.yaml
    python -m train.ppo configs/quickstart.yaml seed=7 ppo.rows=256 --run runs/mine
    python -m train.ppo --resume runs/mine

The learner plays one seat of every game; its seat moves on with every deal. The other seats are
played by the policy itself, by past snapshots of it and by scripted opponents. Each row of the
batch is one seat's own sequence of decisions, so that the reward of a deal reaches the learner's
last action, whoever moved last.

A run is a pure function of its configuration. Every iteration ends with a checkpoint; a run that is
stopped at any moment goes on from there exactly as it would have gone.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from durak_env.arena import compare
from durak_env.integrations.sb3 import DurakVecEnv, PolicyNetwork
from durak_env.integrations.torch import NetworkOpponent
from durak_env.oneline import OneLineErrors
from train.config import Config, load_config
from train.pool import Pool, random_states, restore_random_states
from train.report import Curve, export_and_measure, training_progress
from train.run import Run


class Training:
    """One run: the model, the games, the opponents, and where it stands."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.config = run.config
        settings = self.config.ppo
        torch.set_num_threads(1)  # the rollout is on the CPU: a second thread only disturbs it
        rules = self.config.parsed_rules
        self.env = DurakVecEnv(settings.rows, rules)
        self.env.seed(self.config.seed)
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            n_steps=settings.steps,
            batch_size=settings.batch_size,
            n_epochs=settings.epochs,
            learning_rate=self._learning_rate,
            ent_coef=settings.entropy,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            vf_coef=settings.value_weight,
            max_grad_norm=settings.max_grad_norm,
            policy_kwargs={"net_arch": settings.layers, "activation_fn": torch.nn.ReLU},
            seed=self.config.seed,
            device="cpu",
        )
        self.network = PolicyNetwork(self.model.policy)
        encoder = self.env.learners.encoder
        self.pool = Pool(self.config.opponents, self.network, encoder)
        self.env.learners.set_pool(self.pool.opponents, self.pool.weights())
        self.player = NetworkOpponent(self.config.name, self.network, encoder, sample=False)
        self.curve = Curve()
        self.iteration = 0
        self.seconds = 0.0

    def _learning_rate(self, remaining: float) -> float:
        settings = self.config.ppo
        return settings.final_learning_rate + remaining * (
            settings.learning_rate - settings.final_learning_rate
        )

    @property
    def total(self) -> int:
        """The learner's decisions in the whole run."""
        return self.config.iterations * self.config.ppo.rows * self.config.ppo.steps

    def prepare_iteration(self) -> None:
        """Opponents and entropy of the iteration to come."""
        settings = self.config.ppo
        done = self.iteration / self.config.iterations
        self.model.ent_coef = settings.entropy + done * (settings.final_entropy - settings.entropy)
        self.pool.update(self.iteration, self.env.learners)

    def evaluate(self) -> None:
        """Play the baselines and note the scores."""
        settings = self.config.evaluation
        scores = {}
        for baseline in settings.baselines:
            rules = self.config.parsed_rules
            seed = self.config.seed + 1_000_000 + self.iteration
            pairing = compare(self.player, baseline, rules, settings.deals, seed)
            scores[baseline] = pairing.score
            self.model.logger.record(f"score/{baseline}", pairing.score)
        self.model.logger.dump(self.model.num_timesteps)
        self.curve.add(self.model.num_timesteps, self.seconds, scores)

    # --- checkpoints ------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the rest of the run depends on."""
        model = self.model
        return {
            "iteration": self.iteration,
            "seconds": self.seconds,
            "timesteps": model.num_timesteps,
            "updates": model._n_updates,
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "observations": model._last_obs,
            "episode_starts": model._last_episode_starts,
            "episodes": (model.ep_info_buffer, model.ep_success_buffer),
            "games": self.env.state(),
            "pool": self.pool.state(),
            "curve": self.curve.points,
            "random": random_states(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        model = self.model
        self.iteration, self.seconds = state["iteration"], state["seconds"]
        model.num_timesteps, model._n_updates = state["timesteps"], state["updates"]
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model._last_obs, model._last_episode_starts = state["observations"], state["episode_starts"]
        model.ep_info_buffer, model.ep_success_buffer = state["episodes"]
        self.env.restore(state["games"])
        self.pool.restore(state["pool"])
        self.curve = Curve(state["curve"])
        restore_random_states(state["random"])

    # --- the run ----------------------------------------------------------------------------

    def train(self, console: Console) -> None:
        """Train from where the run stands to its end."""
        self.model.set_logger(configure(str(self.run.folder), ["tensorboard"]))
        remaining = self.total - self.model.num_timesteps
        if remaining <= 0:
            return
        with training_progress(console, self.total) as advance:
            self.model.learn(
                remaining,
                callback=IterationCallback(self, advance),
                reset_num_timesteps=self.iteration == 0,
                log_interval=1,
            )
        self.finish_iteration()

    def finish_iteration(self) -> None:
        """Count an iteration, evaluate if it is time, and save."""
        self.iteration += 1
        last = self.iteration == self.config.iterations
        if last or self.iteration % self.config.evaluation.every == 0:
            self.evaluate()
        self.run.save_checkpoint(self.state())


class IterationCallback(BaseCallback):
    """Hooks into SB3's loop at the one consistent moment: before a rollout begins."""

    def __init__(self, training: Training, advance: Any) -> None:
        super().__init__()
        self.training = training
        self.advance = advance
        self.restored_random = random_states()
        self.first = True

    def _on_training_start(self) -> None:
        # setting up the training must not shift the stream of a resumed run
        restore_random_states(self.restored_random)
        self.clock = time.monotonic()
        self.advance(self.training.model.num_timesteps, self.training.curve)

    def _on_rollout_start(self) -> None:
        now = time.monotonic()
        self.training.seconds += now - self.clock
        self.clock = now
        if not self.first:
            self.training.finish_iteration()
        self.first = False
        self.training.prepare_iteration()
        self.advance(self.training.model.num_timesteps, self.training.curve)

    def _on_step(self) -> bool:
        self.advance(self.training.model.num_timesteps, self.training.curve)
        return True


def train(run: Run, console: Console) -> dict[str, Any]:
    """Train a run to its end, or from its checkpoint to its end, export and measure the agent.

    Returns:
        What ``result.json`` holds.
    """
    training = Training(run)
    state = run.load_checkpoint()
    if state is not None:
        training.restore(state)
        done = training.model.num_timesteps
        console.print(
            f"{run.folder} is trained; remove the folder to train anew"
            if done >= training.total
            else f"resuming at {done:,} of {training.total:,} decisions"
        )
    training.train(console)
    return export_and_measure(
        run,
        training.network,
        training.env.learners.encoder,
        training.curve,
        {"decisions": training.model.num_timesteps, "seconds": round(training.seconds, 1)},
        console,
    )


@click.command(name="train.ppo", cls=OneLineErrors, help=__doc__)
@click.argument("config", type=click.Path(path_type=Path), required=False)
@click.argument("overrides", nargs=-1)
@click.option("--run", "folder", type=click.Path(path_type=Path), help="Folder of the new run.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with the run in a folder.")
def main(
    config: Path | None, overrides: tuple[str, ...], folder: Path | None, resume: Path | None
) -> None:
    run = open_run(config, overrides, folder, resume)
    try:
        train(run, Console())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; go on with: python -m train.ppo --resume {run.folder}"
        ) from None


def open_run(
    config: Path | None, overrides: tuple[str, ...], folder: Path | None, resume: Path | None
) -> Run:
    """The run that the command line asks for.

    Raises:
        ConfigError: it cannot be begun or continued.
    """
    if resume is not None:
        if config is not None or folder is not None:
            raise click.UsageError("--resume takes neither a configuration nor --run")
        return Run.open(resume)
    if config is None:
        raise click.UsageError("name a configuration, such as configs/quickstart.yaml, or --resume")
    loaded: Config = load_config(config, overrides)
    return Run.create(folder or Path("runs") / loaded.name, loaded)


if __name__ == "__main__":
    main()
